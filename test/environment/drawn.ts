import { openEmulator } from '../../main/environment/output/terminal-emulator.ts'

/** What a terminal shows after it received some data: the text with its style, cell by cell, and the cursor position. */
export interface Drawn {
  readonly rows: readonly string[]
  readonly cursor: readonly [number, number]
  readonly screen: 'normal' | 'alternate'
}

export async function drawn({ columns, rows, data }: { columns: number; rows: number; data: string }): Promise<Drawn> {
  const terminal = await openEmulator({ columns, rows }, 1000)
  await new Promise<void>((resolve) => terminal.write(data, resolve))
  const { active } = terminal.buffer
  const shown = Array.from({ length: rows }, (_, row) => {
    const line = active.getLine(active.baseY + row)
    const cells = Array.from({ length: columns }, (_cell, column) => {
      const cell = line?.getCell(column)
      if (!cell) return ''
      const look = `${cell.getFgColor()},${cell.getBgColor()},${cell.isBold()},${cell.isInverse()}`
      return `${cell.getChars() || ' '}${look === '-1,-1,0,0' || cell.getChars() === '' ? '' : `<${look}>`}`
    })
    return cells.join('').trimEnd()
  })
  const result: Drawn = { rows: shown, cursor: [active.cursorX, active.cursorY], screen: active.type }
  terminal.dispose()
  return result
}
