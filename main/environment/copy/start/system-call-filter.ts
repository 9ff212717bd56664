import { Buffer } from 'node:buffer'

interface RefusedCalls {
  /** The machine as the kernel names it. */
  readonly machine: number
  /**
   * For the kernel's keyrings: `add_key`, `request_key` and `keyctl`. A process inherits the keyring of the user's session, which no
   * namespace separates, and which may contain tickets and keys.
   */
  readonly keyring: readonly number[]
  /** For hard links: `link` and `linkat`. */
  readonly hardLinks: readonly number[]
}

const X86_64: RefusedCalls = { machine: 0xc000_003e, keyring: [248, 249, 250], hardLinks: [86, 265] }
const X86: RefusedCalls = { machine: 0x4000_0003, keyring: [286, 287, 288], hardLinks: [9, 303] }
const ARM64: RefusedCalls = { machine: 0xc000_00b7, keyring: [217, 218, 219], hardLinks: [37] }
const ARM: RefusedCalls = { machine: 0x4000_0028, keyring: [309, 310, 311], hardLinks: [9, 330] }

const LOAD = 0x20
const AND = 0x54
const IF_EQUAL = 0x15
const RETURN = 0x06
const ALLOW = 0x7fff_0000
const REFUSE = 0x0005_0001 // the call fails with EPERM
const NUMBER_AT = 0
const MACHINE_AT = 4
/** x86-64 programs with short pointers (x32) set a bit in the number of each call. */
const WITHOUT_X32 = 0xbfff_ffff

/** A filter for bubblewrap's `--seccomp`, as a program for the kernel's packet filter. Other calls are allowed, also on other machines. */
export function systemCallFilter({ refusesHardLinks }: { readonly refusesHardLinks: boolean }): Buffer {
  const blocks = [X86_64, X86, ARM64, ARM].flatMap(({ machine, keyring, hardLinks }) => {
    const calls = refusesHardLinks ? keyring.concat(hardLinks) : keyring
    const block = [
      step(LOAD, NUMBER_AT),
      step(AND, WITHOUT_X32),
      ...calls.flatMap((call) => [step(IF_EQUAL, call, 0, 1), step(RETURN, REFUSE)]),
    ]
    return [step(IF_EQUAL, machine, 0, block.length + 1), ...block, step(RETURN, ALLOW)]
  })
  return Buffer.concat([step(LOAD, MACHINE_AT), ...blocks, step(RETURN, ALLOW)])
}

/** One instruction. `ifTrue` and `ifFalse`: how many instructions a comparison skips. */
function step(code: number, value: number, ifTrue = 0, ifFalse = 0): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeUInt16LE(code, 0)
  bytes.writeUInt8(ifTrue, 2)
  bytes.writeUInt8(ifFalse, 3)
  bytes.writeUInt32LE(value, 4)
  return bytes
}
