import type { RedactedStream, Redactor } from '../../agent/ports/redactor.ts'

/** Maximum time in ms for which output is held back because it may be the beginning of the path. */
const HELD_MS = 20

/**
 * A redactor that also writes `folder` wherever a program prints `tree`, the real path of the copy of the folder in which it runs. So texts
 * about a clone name the same paths as all others, and paths in them can be used.
 */
export function namedAsFolder(redactor: Redactor, tree: string, folder: string): Redactor {
  return {
    text: (text) => redactor.text(text.replaceAll(tree, () => folder)),
    losesSecret: redactor.losesSecret,
    stream: (emit) => replacing(redactor.stream(emit), Buffer.from(tree), Buffer.from(folder)),
  }
}

function replacing(next: RedactedStream, path: Buffer, name: Buffer): RedactedStream {
  let held = Buffer.alloc(0)
  let timer: NodeJS.Timeout | undefined
  const pass = (bytes: Buffer): void => {
    if (bytes.length > 0) next.write(bytes)
  }
  const release = (): void => {
    clearTimeout(timer)
    pass(held)
    held = Buffer.alloc(0)
  }
  return {
    write(bytes) {
      clearTimeout(timer)
      const data = held.length > 0 ? Buffer.concat([held, bytes]) : bytes
      let done = 0
      for (let found = data.indexOf(path); found >= 0; found = data.indexOf(path, done)) {
        pass(data.subarray(done, found))
        pass(name)
        done = found + path.length
      }
      const begun = beginOf(path, data, done)
      pass(data.subarray(done, begun))
      held = Buffer.from(data.subarray(begun))
      if (held.length > 0) timer = setTimeout(release, HELD_MS)
    },
    end() {
      release()
      next.end()
    },
  }
}

/** Where the path may begin that is complete only with the next piece. The length of the data if it does not begin. */
function beginOf(path: Buffer, data: Buffer, from: number): number {
  const first = path.subarray(0, 1)
  const earliest = Math.max(from, data.length - path.length + 1)
  for (let at = data.indexOf(first, earliest); at >= 0; at = data.indexOf(first, at + 1))
    if (path.subarray(0, data.length - at).equals(data.subarray(at))) return at
  return data.length
}
