"""The hub: boards for a team, on one machine or several (`lightboard hub`).

Needs `lightboard[hub]`. Nothing is imported here, so that a client can use one room without the packages of the others.
"""
