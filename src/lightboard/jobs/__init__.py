"""`lightboard run`: runs a program, keeps what it prints, and tells a hub about it.

    running    the process of the command: opens pty or pipes, forks the guard, passes keys and signals on
    guard      the parent of the job, in a session of its own: outlives the command, knows the exit code
    relay      threads that copy what the job prints, to the caller and to the console file
    spool      what is known of a job, in local files; everything for the hub is read from there
    sender     threads that tell the hub; nothing waits for them
    figures    CPU, memory and GPUs of the job, as scalars in its log directory
    facts      command, environment without secrets, git
    terminal   pty, raw mode, window size
    hook/      makes `SummaryWriter()` of torch and tensorboardX write to the log directory of the job

docs/design/0031-jobs.md says why. Linux and macOS.
"""
