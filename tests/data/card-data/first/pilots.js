[{"xws": "wedgeantilles", "text": "-"}, {"xws": "madeuprookie"}]
