import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { contract } from '../../shared/api/contract.ts'
import type { Endpoint } from '../../shared/wire/contract.ts'
import { opened } from '../store/support/stores.ts'
import { say } from '../support/scripted-model.ts'
import { openDesk } from './support/served-desk.ts'

/** A file that exists once a shell has run one of the texts. */
const STARTED = join(tmpdir(), `countersign-hostile-${process.pid}`)

/** Texts that a page under an attacker's control might send. Each endpoint gets those that its schema accepts. */
const HOSTILE = [
  '',
  '__proto__',
  'constructor',
  '../../../../../../etc/passwd',
  '/proc/self/environ',
  '/dev/zero',
  'a\0b',
  '\ud800',
  'x'.repeat(100_000),
  '-rf',
  `$(touch ${STARTED})`,
  "'; DROP TABLE events; --",
  '"*" OR NEAR(',
  '%s%n',
  '[[[[((((',
  'https://user:pass@[::1]:0/',
  'file:///etc/passwd',
] as const
/** What a field gets if it accepts no hostile text. */
const HARMLESS = ['a', 's_a', 'https://a.example', 0, 1, -1, 1e308, true, null, 'a'.repeat(64), {}, []] as const

/** A value that the schema accepts and that has `text` wherever it may have it. Undefined if none was found. */
function valueOf(schema: z.core.$ZodType, text: string): unknown {
  if (schema instanceof z.ZodObject)
    return Object.fromEntries(Object.entries(schema.shape).map(([key, field]) => [key, valueOf(field as z.ZodType, text)]))
  if (schema instanceof z.ZodArray || schema instanceof z.ZodReadonly) {
    if (schema instanceof z.ZodReadonly) return valueOf(schema.def.innerType, text)
    return [valueOf(schema.element, text)]
  }
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault)
    return valueOf(schema.def.innerType, text)
  if (schema instanceof z.ZodUnion)
    return schema.options.map((option) => valueOf(option, text)).find((value) => z.safeParse(schema, value).success)
  if (schema instanceof z.ZodEnum) return schema.options[0]
  if (schema instanceof z.ZodLiteral) return schema.value
  return [text, ...HARMLESS].find((value) => z.safeParse(schema, value).success)
}

/** All endpoints by their names, each with the inputs that its schema accepts. */
function acceptedInputs(): readonly {
  readonly domain: string
  readonly name: string
  readonly isStream: boolean
  readonly inputs: readonly unknown[]
}[] {
  return Object.entries<Readonly<Record<string, Endpoint>>>(contract).flatMap(([domain, endpoints]) =>
    Object.entries(endpoints).map(([name, { kind, input }]) => ({
      domain,
      name,
      isStream: kind === 'stream',
      inputs: HOSTILE.map((text) => valueOf(input, text)).filter((value) => z.safeParse(input, value).success),
    })),
  )
}

test('no endpoint fails unexpectedly, whatever its schema accepts, and the app goes on', { timeout: 300_000 }, async () => {
  const desk = await openDesk([say('Hello.')])
  const sessionId = await desk.session()
  const client = desk.client as unknown as Readonly<Record<string, Readonly<Record<string, (...given: readonly unknown[]) => unknown>>>>
  const endpoints = acceptedInputs()
  expect(endpoints.filter(({ inputs }) => inputs.length > 0).length).toBeGreaterThan(110)
  for (const { domain, name, isStream, inputs } of endpoints)
    for (const given of [...inputs, ...inputs.map((input) => inSession(input, sessionId))]) {
      const abort = new AbortController()
      const answer = client[domain]?.[name]?.(given, abort.signal)
      await Promise.race([isStream ? firstOf(answer as AsyncIterable<unknown>) : answer, givenUp()]).catch(() => {})
      abort.abort()
    }
  expect(desk.bugs).toEqual([])
  expect(existsSync(STARTED)).toBe(false)
  const store = await opened(desk.data)
  expect(store.health().trouble).toBeNull()
})

const inSession = (input: unknown, sessionId: string): unknown =>
  typeof input === 'object' && input !== null && 'sessionId' in input ? { ...input, sessionId } : input

async function firstOf(stream: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of stream) return
}

/** A call may wait for something that never comes. */
const givenUp = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 1_000))
