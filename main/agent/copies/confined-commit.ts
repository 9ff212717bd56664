import type { SessionId } from '../../../shared/lib/ids.ts'
import type { Trouble } from '../../../shared/session/events.ts'
import { keptWords, restoredWords, type SetAside, setAsideWords, unmovedWords } from '../../../shared/session/file-change.ts'
import type { BlockedHost, Confined } from '../ports/command-copies.ts'
import type { ExecutionEnvironment } from '../ports/execution-environment.ts'
import type { Copies } from '../dispatch/dispatch-parts.ts'
import type { Commit } from '../dispatch/prepare.ts'
import { withWords } from '../tool-output.ts'

const CONFINED =
  'The command runs confined to the project folder and cannot write anywhere else. It cannot change control files, and new control files that it creates are moved out of the folder. Write control files with the edit tools, which ask the user. The command reaches only hosts that a rule allows, and its ports cannot be reached from outside.'

/**
 * The wait after a check for new control files while a command runs: at least `LOOK_MS`, and at least `TIMES_A_LOOK` times as long as the
 * check took.
 */
const LOOK_MS = 10_000
const TIMES_A_LOOK = 100
/** The first check comes sooner, because many commands that write files do so when they start. */
const FIRST_LOOK_MS = 1_000

interface ConfinedParts {
  readonly sessionId: SessionId
  readonly copies: Pick<Copies, 'commands'>
  /**
   * Decides about each host while the command runs. The user cannot be asked, because the command may still run long after its call has
   * ended.
   */
  mayReach(host: BlockedHost): boolean
  /** Shows a message to the user. */
  warn(trouble: Trouble): void
}

/** Wraps `commit` so that its command is confined to the folder for as long as it runs. */
export function confinedCommit(commit: Commit, parts: ConfinedParts): Commit {
  return async (run) => {
    const output = await commit({ ...run, env: confinedEnvironment(run.env, parts) })
    return withWords(output, CONFINED)
  }
}

function confinedEnvironment(env: ExecutionEnvironment, { sessionId, copies, mayReach, warn }: ConfinedParts): ExecutionEnvironment {
  return {
    ...env,
    async execCommand(command, options = {}) {
      const owner = { sessionId, what: firstWords(command) }
      const confinement = await copies.commands.confine({ onHost: (host) => Promise.resolve(mayReach(host)), owner })
      confinement.suspect(Date.now())
      const watch = watchControlFiles(confinement, (moved) => {
        warn(setAsideTrouble(`while a confined command ran (${owner.what})`, moved))
        // Only a background command has `onOutput`. Its call has ended, so the model reads this with the command's next output.
        options.onOutput?.({ stream: 'stderr', text: `\n${setAsideWords(moved)}\n` })
      })
      try {
        return await env.execCommand(command, { ...options, confinement })
      } finally {
        await watch.end()
        await confinement.close()
      }
    },
  }
}

/** Checks for new control files while a confinement's commands are running, and once after they have ended. */
function watchControlFiles(confinement: Pick<Confined, 'setAside'>, onMoved: (moved: readonly SetAside[]) => void) {
  let timer: NodeJS.Timeout | undefined
  let isOver = false
  const look = async (): Promise<void> => {
    const began = performance.now()
    const moved = await confinement.setAside().catch(() => [])
    if (moved.length > 0) onMoved(moved)
    if (!isOver) wait(Math.max(LOOK_MS, TIMES_A_LOOK * (performance.now() - began)))
  }
  const wait = (ms: number): void => void (timer = setTimeout(() => void look(), ms).unref())
  wait(FIRST_LOOK_MS)
  return {
    async end(): Promise<void> {
      isOver = true
      clearTimeout(timer)
      await look()
    },
  }
}

const firstWords = (command: string): string => (command.split('\n', 1)[0] ?? '').slice(0, 80)

/** `when`: when the files appeared, in words, such as "while a confined command ran". */
export function setAsideTrouble(when: string, moved: readonly SetAside[]): Trouble {
  const kept = keptWords(moved)
  return {
    code: 'control_files_moved',
    what: [...newWords(when, moved), ...restoredWords(moved), ...unmovedWords(moved)].join(' '),
    kept: kept || 'All files are unchanged.',
    todo: kept
      ? 'If you made these files or want to keep them, move them back while no confined command is running.'
      : 'If you did not make them, delete them.',
  }
}

function newWords(when: string, moved: readonly SetAside[]): readonly string[] {
  const made = moved.filter(({ isRestored }) => !isRestored)
  if (made.length === 0) return [`Somebody replaced control files ${when}.`]
  const isMoved = made.some(({ keptAt }) => keptAt !== null)
  return [
    `New control files appeared ${when}: ${made.map(({ path }) => path).join(', ')}.`,
    `These files decide what runs or which instructions the agent gets${isMoved ? ', so they were moved out of the folder' : ''}.`,
  ]
}
