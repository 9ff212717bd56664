import { expect, expectTypeOf, it } from 'vitest'
import type { ConfineOptions, CopyOptions, EndedCopy, KeptChangeSet } from '../../main/agent/ports/command-copies.ts'
import type {
  ExecOptions,
  ExecResult,
  ExecutionEnvironment,
  FileStat,
  GlobOptions,
  GrepOptions,
  GrepResult,
  OpenOptions,
  ShellExecOptions,
  ShellExecResult,
  ShellOptions,
  SpawnOptions,
  SpawnResult,
} from '../../main/agent/ports/execution-environment.ts'
import type { COPY_METHODS } from '../../main/host-process/wire/copy-methods.ts'
import type { LAYER_METHODS } from '../../main/host-process/wire/layer-methods.ts'
import { type ArgsOf, type Method, METHODS, type ValueOf } from '../../main/host-process/wire/methods.ts'
import type { Want } from '../../main/host-process/wire/schemas.ts'

/** Validation removes members that a schema does not know, so a member that the port gets must be added to the schema too. */
it('every member of the port’s options and results crosses the wire', () => {
  // A confinement crosses as the id of the call that made it, a hold as messages.
  type Options<M extends Method> = Exclude<keyof Extract<ArgsOf<M>, { options: unknown }>['options'], 'confined' | 'asksHosts'>
  type Crossing<T> = Exclude<keyof T, 'signal' | 'confinement' | 'hold' | 'onHost' | 'traffic'>
  type Heard = 'onOutput' | 'onProgress' | 'onStart' | 'onWaiting' | 'spool' | 'spoolText'
  expectTypeOf<Options<'grep'>>().toEqualTypeOf<Crossing<GrepOptions>>()
  expectTypeOf<Options<'glob'>>().toEqualTypeOf<Crossing<GlobOptions>>()
  expectTypeOf<Options<'execCommand'> | Heard>().toEqualTypeOf<Crossing<ExecOptions>>()
  expectTypeOf<Options<'runInShell'> | Heard | 'onTerminal'>().toEqualTypeOf<Crossing<ShellExecOptions>>()
  expectTypeOf<Options<'openShell'>>().toEqualTypeOf<Crossing<ShellOptions>>()
  // `onlyReads` is a fact for whoever decides where the program is started.
  expectTypeOf<Options<'spawn'> | 'input' | 'onlyReads'>().toEqualTypeOf<Crossing<SpawnOptions>>()
  expectTypeOf<Options<'open'>>().toEqualTypeOf<Crossing<OpenOptions>>()
  expectTypeOf<Want>().toEqualTypeOf<'output' | 'progress' | 'start' | 'waiting' | 'spool' | 'spoolText' | 'terminal'>()
  expectTypeOf<keyof ValueOf<'execCommand'>>().toEqualTypeOf<keyof ExecResult>()
  expectTypeOf<keyof ValueOf<'runInShell'>>().toEqualTypeOf<keyof ShellExecResult | 'cwd'>()
  expectTypeOf<keyof ValueOf<'spawn'> | 'stdout'>().toEqualTypeOf<keyof SpawnResult>()
  expectTypeOf<keyof ValueOf<'grep'>>().toEqualTypeOf<keyof GrepResult>()
  expectTypeOf<keyof ValueOf<'grep'>['matches'][number]>().toEqualTypeOf<keyof GrepResult['matches'][number]>()
  expectTypeOf<keyof NonNullable<ValueOf<'stat'>>>().toEqualTypeOf<keyof FileStat>()
  const immediate = ['workingDirectory', 'platform', 'osVersion', 'ports'] as const
  type Called = Exclude<keyof ExecutionEnvironment, (typeof immediate)[number] | 'writeFile'>
  expectTypeOf<Options<'runCopy'> | Exclude<Heard, 'onStart'>>().toEqualTypeOf<Crossing<CopyOptions>>()
  expectTypeOf<Options<'confine'>>().toEqualTypeOf<Crossing<ConfineOptions>>()
  expectTypeOf<Exclude<keyof ValueOf<'runCopy'>, 'kept'> | 'bytes' | 'apply' | 'keep' | 'gitChange' | 'drop'>().toEqualTypeOf<
    keyof EndedCopy
  >()
  expectTypeOf<keyof ValueOf<'keepCopy'>>().toEqualTypeOf<keyof KeptChangeSet>()
  type Own = keyof typeof COPY_METHODS | keyof typeof LAYER_METHODS
  expectTypeOf<
    Exclude<Method, Own | 'look' | 'runInShell' | 'closeShell' | 'listeningPorts' | 'dialPort' | `${string}Comparison`>
  >().toEqualTypeOf<Called>()
  expect(Object.keys(METHODS)).toHaveLength(63)
})
