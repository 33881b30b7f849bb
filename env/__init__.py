"""The rules of play: episodes, rewards, graders, agents, servers and clients.

This room will hold what turns a case into an episode. It may import ``casegen.schemas``,
``casegen.seeds`` and ``casegen`` itself, never ``casegen.exports``. Version 0.1 generates and
checks cases; it plays none yet.
"""
