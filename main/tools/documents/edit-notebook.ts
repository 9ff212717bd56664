import { modelOnly, type ReasonText, reason } from '../../agent/reason.ts'
import { hash } from 'node:crypto'
import { type Result, failed, ok } from '../../../shared/lib/result.ts'
import { type JsonSpan, jsonSpans } from './json-spans.ts'
import { type NotebookCell, notebookCells } from './notebook-cells.ts'

export interface NotebookChange {
  readonly mode: 'replace' | 'insert' | 'delete'
  /**
   * A cell's number, counted from 0, or its id. `insert` puts the new cell at this position; the number may then equal the number of cells.
   */
  readonly cell: number | string
  /** Whether `insert` puts the new cell after the cell that `cell` identifies. */
  readonly isBehind: boolean
  readonly content: string
  readonly cellType: 'code' | 'markdown' | 'raw' | null
}

/**
 * Changes one cell of a notebook. The rest of the text is unchanged: the order of members, the indentation, other cells and outputs. The
 * failure is a sentence.
 */
export function editNotebook(text: string, change: NotebookChange): Result<string, ReasonText> {
  const cells = notebookCells(text)
  if (cells === null) return failed('It is not a Jupyter notebook of format 4.')
  const twins = cells.filter(({ id }) => id === change.cell).length
  if (twins > 1) return failed(reason`${twins} cells have the id ${change.cell}. ${modelOnly('Name the cell by its number.')}`)
  const index = indexOf(cells, change.cell)
  const most = change.mode === 'insert' && !change.isBehind ? cells.length : cells.length - 1
  if (index < 0 || index > most) return failed(missing(cells, change.cell))
  const root = jsonSpans(text)
  const list = root.members.get('cells')
  if (!list) return failed('It has no cells.')
  switch (change.mode) {
    case 'replace':
      return replaced(text, list, { cell: cells[index], index }, change)
    case 'insert':
      return ok(inserted(text, list, change.isBehind ? index + 1 : index, newCell(text, cells, change)))
    case 'delete':
      return ok(removed(text, list, index))
  }
}

/** A number that is written as text counts as a number. Cells of older formats have no ids; other agents call them `cell-0` and so on. */
function indexOf(cells: readonly NotebookCell[], cell: number | string): number {
  if (typeof cell === 'number') return cell
  const named = cells.findIndex(({ id }) => id === cell)
  const number = /^(?:cell-)?(?<at>\d+)$/u.exec(cell)?.groups?.['at']
  return named < 0 && number !== undefined ? Number(number) : named
}

function missing(cells: readonly NotebookCell[], cell: number | string): string {
  const range = cells.length === 0 ? 'It has no cells.' : `It has cells 0 to ${cells.length - 1}.`
  return typeof cell === 'number' ? `There is no cell ${cell}. ${range}` : `No cell has the id ${cell}. ${range}`
}

interface Target {
  readonly cell: NotebookCell | undefined
  readonly index: number
}

function replaced(text: string, list: JsonSpan, { cell, index }: Target, change: NotebookChange): Result<string, string> {
  const span = list.members.get(String(index))
  const source = span?.members.get('source')
  const type = span?.members.get('cell_type')
  if (!span || !source || !type) return failed(`Cell ${index} cannot be found in the text.`)
  const isList = text[source.start] === '['
  if (change.cellType !== null && change.cellType !== cell?.cell_type) {
    const old = JSON.parse(text.slice(span.start, span.end)) as Readonly<Record<string, unknown>>
    const fresh = asKind(old, change.cellType, isList ? linesOf(change.content) : change.content)
    const indent = indentBefore(text, lineStartOf(text, span.start))
    return ok(text.slice(0, span.start) + written(fresh, unitOf(text, list), indent, endingOf(text)) + text.slice(span.end))
  }
  const indent = indentBefore(text, lineStartOf(text, source.start))
  const fresh = isList ? written(linesOf(change.content), unitOf(text, list), indent, endingOf(text)) : JSON.stringify(change.content)
  return ok(text.slice(0, source.start) + fresh + text.slice(source.end))
}

function inserted(text: string, list: JsonSpan, index: number, cell: Readonly<Record<string, unknown>>): string {
  const unit = unitOf(text, list)
  const neighbour = list.members.get(String(Math.max(0, index - 1))) ?? null
  const ending = endingOf(text)
  if (neighbour === null) {
    const outer = indentBefore(text, lineStartOf(text, list.start))
    const inner = unit === '' ? '' : `${ending}${outer}${unit}`
    const close = unit === '' ? '' : `${ending}${outer}`
    return `${text.slice(0, list.start)}[${inner}${written(cell, unit, outer + unit, ending)}${close}]${text.slice(list.end)}`
  }
  const indent = indentBefore(text, lineStartOf(text, neighbour.start))
  const gap = unit === '' ? '' : `${ending}${indent}`
  const fresh = written(cell, unit, indent, ending)
  if (index === 0) return `${text.slice(0, neighbour.start)}${fresh},${gap}${text.slice(neighbour.start)}`
  return `${text.slice(0, neighbour.end)},${gap}${fresh}${text.slice(neighbour.end)}`
}

function removed(text: string, list: JsonSpan, index: number): string {
  const own = list.members.get(String(index)) ?? list
  const before = list.members.get(String(index - 1))
  const after = list.members.get(String(index + 1))
  if (before) return text.slice(0, before.end) + text.slice(own.end)
  if (after) return text.slice(0, own.start) + text.slice(after.start)
  return `${text.slice(0, list.start)}[]${text.slice(list.end)}`
}

/**
 * Replaces a cell with a cell of another kind. Only code cells have outputs and an execution count, and only the other kinds have
 * attachments.
 */
function asKind(
  old: Readonly<Record<string, unknown>>,
  kind: 'code' | 'markdown' | 'raw',
  source: unknown,
): Readonly<Record<string, unknown>> {
  const { cell_type: _, execution_count: count = null, outputs = [], attachments, source: __, ...kept } = old
  const own = kind === 'code' ? { execution_count: count, outputs } : attachments === undefined ? {} : { attachments }
  return { cell_type: kind, ...kept, ...own, source }
}

/**
 * Cells have ids from format 4.5 on. The same change always gives the same id, so that the execution has exactly the result that was
 * signed.
 */
function newCell(text: string, cells: readonly NotebookCell[], { content, cellType }: NotebookChange): Readonly<Record<string, unknown>> {
  const type = cellType ?? 'code'
  const { nbformat_minor: minor = 0 } = JSON.parse(text) as { nbformat_minor?: number }
  const id =
    minor >= 5 || cells.some((cell) => cell.id !== undefined)
      ? { id: hash('sha256', JSON.stringify([text, content, type]), 'hex').slice(0, 8) }
      : {}
  const run = type === 'code' ? { execution_count: null } : {}
  const outputs = type === 'code' ? { outputs: [] } : {}
  return { cell_type: type, ...run, ...id, metadata: {}, ...outputs, source: linesOf(content) }
}

/** Text as notebooks store it: one string per line, including its newline. */
function linesOf(content: string): readonly string[] {
  return content === '' ? [] : content.split(/(?<=\n)/u)
}

function written(value: unknown, unit: string, indent: string, ending: string): string {
  return JSON.stringify(value, null, unit).replaceAll('\n', ending + indent)
}

/** The indentation of the cells in their list; empty if the list is on one line. */
function unitOf(text: string, list: JsonSpan): string {
  const first = list.members.get('0')
  const inner = first ? lineStartOf(text, first.start) : -1
  const outer = lineStartOf(text, list.start)
  if (first && inner === outer) return ''
  const depth = first ? indentBefore(text, inner).length - indentBefore(text, outer).length : 1
  return (first && indentBefore(text, inner).startsWith('\t') ? '\t' : ' ').repeat(Math.max(1, depth))
}

function lineStartOf(text: string, at: number): number {
  return text.lastIndexOf('\n', at - 1) + 1
}

function indentBefore(text: string, lineStart: number): string {
  return /^[ \t]*/u.exec(text.slice(lineStart, lineStart + 200))?.[0] ?? ''
}

function endingOf(text: string): string {
  return text.includes('\r\n') ? '\r\n' : '\n'
}
