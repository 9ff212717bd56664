import { workerFile } from '../environment/worker-file.ts'

/** The file from which a host process is started. Throws `ECHANGED` if it was changed since the installation. */
export const hostProgramFile = (): URL => workerFile('host-process', import.meta.url)
