import { keyOf, type ServerChoice } from './server-choices.ts'
import type { ServerDraft } from './server-entries.ts'
import type { ServersParts } from './servers.ts'

/**
 * Adds servers that another program, such as an editor, passes on for this run. They count as the user's own and replace servers of the same
 * name. Decisions about them are kept only in memory.
 */
export function withGivenServers(
  { read, choice, choose }: Pick<ServersParts, 'read' | 'choice' | 'choose'>,
  given: () => readonly ServerDraft[],
): Pick<ServersParts, 'read' | 'choice' | 'choose'> {
  const choices = new Map<string, ServerChoice>()
  const isGiven = (key: string): boolean => given().some(({ name }) => keyOf('you', '', name) === key)
  return {
    read(folder, named) {
      const { you, project } = read(folder, named)
      const isReplaced = ({ name }: ServerDraft): boolean => given().some((one) => one.name === name)
      const without = (drafts: readonly ServerDraft[]): readonly ServerDraft[] => drafts.filter((draft) => !isReplaced(draft))
      return {
        you: { ...you, servers: [...without(you.servers), ...given()] },
        project: { ...project, servers: without(project.servers) },
      }
    },
    choice: (key) => (isGiven(key) ? (choices.get(key) ?? null) : choice(key)),
    choose(key, chosen) {
      if (isGiven(key)) choices.set(key, chosen)
      else choose(key, chosen)
    },
  }
}
