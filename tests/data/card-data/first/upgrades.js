[{"xws": "predator", "text": "-"}]
