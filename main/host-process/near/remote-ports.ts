import type { ProgramPorts } from '../../agent/ports/opened-program.ts'
import type { Channel } from '../wire/channel.ts'
import type { ToFar } from '../wire/messages.ts'
import type { Calls } from './calls.ts'
import { openRemotePipes } from './open-remote-program.ts'

/** The ports of programs on the far side. */
export const remotePorts = ({ call }: Pick<Calls, 'call'>, channel: Channel<ToFar>): ProgramPorts => ({
  listening: () => call('listeningPorts', {}),
  dial: (port, signal) => openRemotePipes(channel, (pipes) => call('dialPort', { port }, pipes), signal),
})
