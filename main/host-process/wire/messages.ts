import { z } from 'zod'
import { blockedHost, recovered, signedFiles } from './copy-schemas.ts'
import { METHODS, type Method } from './methods.ts'
import { outputChunk, size, variables } from './schemas.ts'

const id = z.int().nonnegative()
/** More than any call sends at once. A pause of the output happens long before. */
const count = z.int().nonnegative()

const outputName = z.enum(['stdout', 'stderr'])
export type OutputName = z.infer<typeof outputName>

const METHOD_NAMES = Object.keys(METHODS) as [Method, ...Method[]]

/** Options of the served environment (`LocalOptions`) that are data. */
const environmentOptions = z.object({
  envVarPolicy: z.enum(['inherit_all', 'inherit_core', 'inherit_none']).exactOptional(),
  allowVariables: z.array(z.string()).exactOptional(),
  shell: z.string().exactOptional(),
  searchTimeoutMs: z.number().exactOptional(),
  ripgrep: z.string().nullable().exactOptional(),
  isConfined: z.boolean().exactOptional(),
})

/** What the near side sends. */
export const toFar = z.discriminatedUnion('kind', [
  /**
   * The first message. `folder`: the working directory of the environment. `data`: a private folder for notes about what a crash would
   * leave behind, and for copies and layers. If null, there are none of these. `hidden`: Countersign's own folders, which programs in
   * copies and layers may not see. `silenceMs`: without a message for this long, the far side ends. `variables`: added to the variables of
   * the far process for the programs that it starts. Like all others, those that look like secrets are passed on only if they are allowed.
   */
  z.object({
    kind: z.literal('open'),
    version: z.string(),
    build: z.string(),
    folder: z.string(),
    data: z.string().nullable(),
    hidden: z.array(z.string()),
    silenceMs: z.number().positive(),
    options: environmentOptions,
    variables,
  }),
  /**
   * `on`: 0 for the folder, or the id of the call that opened a layer. `isAborted`: whether the call’s signal was aborted before
   * the call. `after`: the call begins when these calls have been answered.
   */
  z.object({
    kind: z.literal('call'),
    id,
    on: id,
    method: z.enum(METHOD_NAMES),
    args: z.unknown(),
    isAborted: z.boolean(),
    after: z.array(id).exactOptional(),
  }),
  /** Raw bytes for a call that follows with the same id. */
  z.object({ kind: z.literal('piece'), id }),
  z.object({ kind: z.literal('abort'), id }),
  /** `count` bytes of the command’s output have been processed, so the far side may send as many more. */
  z.object({ kind: z.literal('processed'), id, count }),
  /** Raw bytes for the input of an opened program. */
  z.object({ kind: z.literal('input'), id }),
  z.object({ kind: z.literal('input-end'), id }),
  /** `count` bytes of this output of an opened program have been read. */
  z.object({ kind: z.literal('read'), id, stream: outputName, count }),
  z.object({ kind: z.literal('type'), id, data: z.string() }),
  z.object({ kind: z.literal('resize'), id, size }),
  /** Whether commands wait for an answer about a host. */
  z.object({ kind: z.literal('hold'), waits: z.boolean() }),
  /** The answer to a question with this number. */
  z.object({ kind: z.literal('may'), question: id, may: z.boolean() }),
  /** The user has signed these contents of control files. */
  z.object({ kind: z.literal('sign'), files: signedFiles }),
  /** See `Confined.suspect`. `id`: the call that created the confinement. `unsuspect` with the same `mark` ends it. */
  z.object({ kind: z.literal('suspect'), id, mark: id, since: z.number() }),
  z.object({ kind: z.literal('unsuspect'), id, mark: id }),
  /** The command for which hosts were decided in a layer has ended. */
  z.object({ kind: z.literal('decided'), id }),
  /** The patterns of the files that programs in a layer may not read from now on. `id`: the call that opened the layer. */
  z.object({ kind: z.literal('denied'), id, patterns: z.array(z.string()) }),
  z.object({ kind: z.literal('ping') }),
])
export type ToFar = z.infer<typeof toFar>
export type OpenRequest = Extract<ToFar, { kind: 'open' }>
/** Messages about calls. */
export type FarRequest = Exclude<ToFar, { kind: 'open' | 'ping' }>

/** What happens while a command runs. */
const commandEvent = z.discriminatedUnion('of', [
  z.object({ of: z.literal('start'), pid: z.int() }),
  z.object({ of: z.literal('output'), chunk: outputChunk }),
  z.object({ of: z.literal('progress'), tail: z.string(), bytes: z.number() }),
  z.object({ of: z.literal('waiting'), waits: z.boolean() }),
  /** With raw bytes. */
  z.object({ of: z.literal('spool') }),
  z.object({ of: z.literal('spoolText') }),
  z.object({ of: z.literal('terminal-open') }),
  /** Data of the terminal. It stands for `output` too. */
  z.object({ of: z.literal('terminal-data'), text: z.string() }),
  z.object({ of: z.literal('terminal-waits'), waits: z.boolean() }),
  z.object({ of: z.literal('terminal-exit'), exitCode: z.number().nullable() }),
])
export type CommandEvent = z.infer<typeof commandEvent>

/** What happens to an opened program. */
const programEvent = z.discriminatedUnion('of', [
  z.object({ of: z.literal('opened') }),
  /** With raw bytes. */
  z.object({ of: z.literal('output'), stream: outputName }),
  z.object({ of: z.literal('output-end'), stream: outputName }),
  /** `count` bytes of the input have been taken by the program. */
  z.object({ of: z.literal('input-taken'), count }),
  z.object({ of: z.literal('exit'), exitCode: z.number().nullable(), signal: z.string().nullable() }),
])
export type ProgramEvent = z.infer<typeof programEvent>

/** What the far side sends. Everything in it may be a lie: it describes the other machine, and nothing else follows from it. */
export const toNear = z.discriminatedUnion('kind', [
  /** The first message of all versions. */
  z.object({ kind: z.literal('hello'), version: z.string(), build: z.string() }),
  z.object({ kind: z.literal('refused'), message: z.string() }),
  /** `recovered`: the changes that a killed host process left unfinished in the folder, of which the user must be informed. */
  z.object({
    kind: z.literal('ready'),
    pid: z.int(),
    folder: z.string(),
    platform: z.string(),
    osVersion: z.string(),
    recovered,
  }),
  /** Raw bytes of the answer that follows with the same id. */
  z.object({ kind: z.literal('piece'), id }),
  z.object({ kind: z.literal('done'), id, value: z.unknown() }),
  z.object({ kind: z.literal('failed'), id, code: z.string().nullable(), message: z.string() }),
  z.object({ kind: z.literal('event'), id, event: commandEvent }),
  z.object({ kind: z.literal('program'), id, event: programEvent }),
  /** `id`: the call that opened the shell. */
  z.object({ kind: z.literal('shell-ended'), id }),
  /** The content of a file, for the answer that follows with the same id. Its raw bytes follow in pieces. */
  z.object({ kind: z.literal('content'), id, bytes: count }),
  /** Asks whether a program may reach this host. `id`: the call that runs the program, or that created its confinement. */
  z.object({ kind: z.literal('host'), id, question: id, host: blockedHost }),
  z.object({ kind: z.literal('pong') }),
])
export type ToNear = z.infer<typeof toNear>
export type HostFacts = Omit<Extract<ToNear, { kind: 'ready' }>, 'kind'>
