import { SessionId } from '../../../shared/lib/ids.ts'

/** The id of the first session in the made place with this name. */
export const sessionIdOf = (name: string): SessionId => SessionId.parse(name.replace(/^countersign-/u, 's_'))
/** The name of the place that is made for a session. */
export const nameFrom = (sessionId: string): string => sessionId.replace(/^s_/u, 'countersign-').slice(0, 63)
