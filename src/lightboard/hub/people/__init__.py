"""Who somebody is, and what they may do.

passwords    argon2 hashes; a wrong name takes as long as a wrong password
tokens       random values for sessions, API tokens, shares and one-time links; the database has their hashes
vault        secrets of stores, encrypted with the hub's key
may          the one function that decides: may(identity, action, thing)
"""
