import { expect, test } from 'vitest'
import type { RunContext, Tool } from '../../main/agent/ports/tool.ts'
import { createToolRegistry } from '../../main/agent/tool-registry.ts'
import { createSearchToolsTool } from '../../main/tools/built-in/search-tools.ts'

const named = (name: string, description: string): Tool => ({
  definition: { name, description, parameters: { type: 'object' } },
  validate: (value) => ({ ok: true, value }),
  prepare: () => Promise.reject(new Error('It is only looked for.')),
})
const TOOLS = [
  { server: 'shop', tool: named('mcp__shop__refund', 'Pays an invoice back.') },
  { server: 'shop', tool: named('mcp__shop__list_invoices', 'Lists every invoice.') },
  { server: 'mail', tool: named('mcp__mail__send', 'Sends a letter about an invoice.') },
  { server: 'mail', tool: named('mcp__mail__empty', 'Empties the bin.') },
]

async function search(args: object) {
  const tool = createSearchToolsTool(TOOLS)
  const registry = createToolRegistry(
    [tool],
    [],
    TOOLS.map((one) => one.tool),
  )
  const read = tool.validate(args)
  if (!read.ok) throw new Error(String(read.failure))
  const prepared = await tool.prepare(read.value, {} as never)
  if (prepared.kind === 'rejected') throw new Error('It was rejected.')
  expect(prepared.effects).toEqual([])
  const output = await prepared.commit({ offer: registry.offer } as unknown as RunContext)
  if (typeof output.output !== 'string') throw new Error('It is no text.')
  return { output: { ...output, output: output.output }, listed: registry.definitions().map(({ name }) => name), registry }
}

test.each([
  ['invoice', ['mcp__shop__list_invoices', 'mcp__shop__refund', 'mcp__mail__send']],
  ['REFUND an invoice', ['mcp__shop__refund', 'mcp__shop__list_invoices', 'mcp__mail__send']],
  ['mcp__mail__empty', ['mcp__mail__empty', 'mcp__mail__send', 'mcp__shop__refund', 'mcp__shop__list_invoices']],
])('“%s” adds the matching tools to the list, best match first', async (query, found) => {
  const { output, listed } = await search({ query })
  expect(listed).toEqual(['search_tools', ...found])
  expect(output.output.match(/mcp__\w+(?=:)/gu)).toEqual(found)
})

test('no more tools are listed than requested', async () => {
  expect((await search({ query: 'invoice', limit: 1 })).listed).toEqual(['search_tools', 'mcp__shop__list_invoices'])
})

test('if no tool matches, none is added to the list, and the answer names the servers', async () => {
  const { output, listed } = await search({ query: 'weather' })
  expect([output.isError, output.output, listed]).toEqual([true, expect.stringContaining('shop (2), mail (2)'), ['search_tools']])
  expect(createSearchToolsTool(TOOLS).definition.description).toContain('shop (2), mail (2)')
})

test('a tool that no search has found can still be called', async () => {
  expect((await search({ query: 'weather' })).registry.get('mcp__mail__send')?.definition.name).toBe('mcp__mail__send')
})
