"""Who somebody is, and what they may do.

identity     who sends a request: tokens, session cookies, shares; whether a write was meant
newcomers    adds users, each with a workspace
attempts     how often passwords and links may be tried
passwords    argon2 hashes; a wrong name takes as long as a wrong password
frames       tickets that show a board in a frame of another site
tokens       random values for sessions, API tokens, shares and one-time links; the database has their hashes
vault        secrets of stores, encrypted with the hub's key
may          the one function that decides: may(identity, action, thing)
"""
