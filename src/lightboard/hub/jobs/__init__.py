"""Jobs beside the database: what they printed, their boards, and noticing that a runner is gone.

    console    what jobs printed, in files below the hub's directory; bounded
    boards     the board of a job, or one of many jobs with the same label
    watch      the loop that finds lost jobs and makes boards that were refused before

Their states are decided by `life.jobs`.
"""
