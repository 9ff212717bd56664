import { type ReactNode, useState } from 'react'
import type { CallItem } from '../../shared/session/state.ts'
import { readFileSpec, readManyFilesSpec } from '../../shared/tools/built-in/read-file.ts'
import { detailsOf } from '../../shared/tools/spec/tool-spec.ts'
import { Button } from '../ui/controls/button.tsx'
import { counted } from '../ui/format.ts'
import { foreign } from '../ui/text/exact-text.tsx'
import { MiddlePath } from '../ui/text/middle-path.tsx'
import { Well } from '../ui/text/well.tsx'
import { CallOutput } from './view/call-output.tsx'
import type { BodyProps, ToolView } from './view/tool-view.ts'
import styles from './view/view.module.css'

export const readFileView: ToolView = {
  spec: readFileSpec,
  lookedAt({ args }) {
    const path = args?.['file_path']
    const offset = args?.['offset']
    const isLine = typeof offset === 'number' && Number.isInteger(offset) && offset > 0
    return typeof path === 'string' ? { path, line: isLine ? offset : null } : null
  },
}

export const readManyFilesView: ToolView = { spec: readManyFilesSpec, Body: ReadFiles }

/** Number of lines of each file shown before "Show all". */
const FEW_LINES = 4

/** Several files, each below its name. */
function ReadFiles({ call, sessionId }: BodyProps): ReactNode {
  const [isWhole, setWhole] = useState(false)
  const found = readSections(call)
  if (!found) return <CallOutput call={call} sessionId={sessionId} />
  const hidden = found.sections.reduce((sum, { lines }) => sum + Math.max(0, lines.length - FEW_LINES), 0)
  return (
    <Well
      label="Files"
      foot={
        hidden > 0 || found.rest !== '' ? (
          <>
            <span className="clip">{[isWhole || hidden === 0 ? '' : `${counted(hidden, 'line')} more.`, found.rest].join(' ').trim()}</span>
            {hidden > 0 && (
              <Button variant="quiet" small onPress={() => setWhole(!isWhole)}>
                {isWhole ? 'Show less' : 'Show all'}
              </Button>
            )}
          </>
        ) : undefined
      }
    >
      <ul className={styles.hits}>
        {found.sections.map((section) => (
          <Section key={section.path} section={section} most={isWhole ? Infinity : FEW_LINES} />
        ))}
      </ul>
    </Well>
  )
}

function Section({ section: { path, lines }, most }: { readonly section: ReadSection; readonly most: number }): ReactNode {
  return (
    <li>
      <div className={styles.hitFile}>
        <MiddlePath path={path} className="path" />
      </div>
      <ul>
        {lines.slice(0, most).map(({ number, text }, index) => (
          <li key={index} className={styles.hit}>
            <span className={styles.hitLine}>{number ?? ''}</span>
            <span className={`clip ${styles.readLine}`}>{foreign(text)}</span>
          </li>
        ))}
      </ul>
    </li>
  )
}

interface ReadSection {
  readonly path: string
  /** `number` is null if the text is a note about the file and not one of its lines. */
  readonly lines: readonly { readonly number: number | null; readonly text: string }[]
}

export interface ReadSections {
  readonly sections: readonly ReadSection[]
  /** What was left out and why. Empty if nothing was left out. */
  readonly rest: string
}

/**
 * The output of `read_many_files`, divided into files by the line counts in its details. Null if the output was cut, or if an older
 * version stored no counts.
 */
export function readSections(call: CallItem): ReadSections | null {
  const counts = detailsOf(readManyFilesSpec, call)?.sections ?? []
  if (counts.length === 0 || call.outputBlob !== null) return null
  const output = call.output.split('\n')
  const sections: ReadSection[] = []
  let at = 0
  for (const { path, lines, numbered } of counts) {
    // The first line is skipped, because it is the name of the file.
    const own = output.slice(at + 1, at + 1 + lines)
    at += 1 + lines
    sections.push({ path, lines: own.map((line, index) => (index < numbered ? numberedLine(line) : { number: null, text: line })) })
  }
  return { sections, rest: output.slice(at).join('\n') }
}

function numberedLine(line: string): ReadSection['lines'][number] {
  const tab = line.indexOf('\t')
  return { number: Number(line.slice(0, tab)), text: line.slice(tab + 1) }
}
