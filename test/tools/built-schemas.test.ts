import { expect, test } from 'vitest'
import { settings } from '../../main/rolldown.config.ts'
import type { schemasToBuild } from '../../main/tools/define/input-schema.ts'
import { createTools } from '../../main/tools/create-tools.ts'
import { ALL_TOOLS } from '../../shared/tools/catalogue.ts'

interface Replacing {
  readonly name: string
  readonly load: { readonly filter: { readonly id: RegExp }; handler(): string }
}

test('the schemas in the built app are byte for byte the same as in the source', async () => {
  const plugins = settings.plugins as readonly Partial<Replacing>[]
  const { filter, handler } = plugins.find(({ name }) => name === 'countersign-tool-schemas')?.load ?? {}
  expect(filter?.id.test('/anywhere/main/tools/define/built-schemas.ts')).toBe(true)
  const { BUILT_SCHEMAS: built } = (await import(`data:text/javascript,${encodeURIComponent(handler?.() ?? '')}`)) as {
    readonly BUILT_SCHEMAS: ReturnType<typeof schemasToBuild>
  }
  expect(Object.keys(built)).toEqual(ALL_TOOLS.map(({ name }) => name))
  for (const { definition } of createTools({ countLines: () => Promise.resolve(null) }))
    expect(JSON.stringify(built[definition.name])).toBe(JSON.stringify(definition.parameters))
})
