/** The running programs that were started in a layer. */
export interface RunningPrograms {
  /** Lists a program under this name until the work has settled. */
  during<T>(name: string, work: Promise<T>): Promise<T>
  /** Lists a program under this name until `isRunning` returns false. */
  add(name: string, isRunning: () => boolean): void
  names(): readonly string[]
}

/** Maximum length of a name in characters. Longer commands are cut. */
const MAX_LENGTH = 60

export function createRunningPrograms(): RunningPrograms {
  const running = new Set<{ readonly name: string; readonly isRunning: () => boolean }>()
  const named = (name: string): string => (name.length > MAX_LENGTH ? `${name.slice(0, MAX_LENGTH)}…` : name)
  return {
    async during(name, work) {
      const program = { name: named(name), isRunning: () => true }
      running.add(program)
      try {
        return await work
      } finally {
        running.delete(program)
      }
    },
    add: (name, isRunning) => void running.add({ name: named(name), isRunning }),
    names() {
      for (const program of running) if (!program.isRunning()) running.delete(program)
      return [...running].map(({ name }) => name)
    },
  }
}
