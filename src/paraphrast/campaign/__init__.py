"""Rating campaigns in a database, for several raters at once: ``serve --database URL`` (extra ``web``).

``judge`` has the questions, the sampling and the agreement; this package keeps a campaign in SQLite or PostgreSQL,
hands items to raters, and stores what they answer. An answer is acknowledged only after its transaction was committed.
"""
