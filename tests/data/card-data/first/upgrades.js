[{"xws": "greedo", "text": "-"}]
