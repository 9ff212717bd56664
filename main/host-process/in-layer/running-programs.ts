/** The programs that sessions have started in a layer and that have not ended. */
export interface RunningPrograms {
  /** Lists a program under this name until the work has settled. */
  during<T>(name: string, work: Promise<T>): Promise<T>
  /** Lists a program until `isRunning` says that it has ended. */
  add(name: string, isRunning: () => boolean): void
  names(): readonly string[]
}

/** Maximum number of characters of a command in its name. */
const LONGEST = 60

export function createRunningPrograms(): RunningPrograms {
  const running = new Set<{ readonly name: string; readonly isRunning: () => boolean }>()
  const named = (name: string): string => (name.length > LONGEST ? `${name.slice(0, LONGEST)}…` : name)
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
