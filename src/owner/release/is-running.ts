/** Returns true if a process with this id runs on this machine. */
export const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0); // signal 0 only tests whether the process exists
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
};
