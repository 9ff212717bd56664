/** Devices that keep nothing of what is written to them; every other one is a disk, a memory or a way out. */
const HARMLESS = /^\/dev\/(?:null|zero|full|stdout|stderr|tty|fd\/\d+)$/u

/** By a path without `.` and `..`. */
export const isHarmlessDevice = (path: string): boolean => HARMLESS.test(path)

/** Whether something under /dev is meant that may be a disk. */
export const isDevice = (path: string): boolean => path.startsWith('/dev/') && !path.startsWith('/dev/shm/') && !isHarmlessDevice(path)
