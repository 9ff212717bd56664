import { closeSync, openSync, readFileSync, readSync } from 'node:fs'

/** Maximum number of descriptors that are checked. */
const MAX_DESCRIPTORS = 1024
const READABLE = 0x1

/**
 * On Linux, the descriptors that a process waiting in `select`, `poll` or `epoll_wait` wants to read, from the call's arguments in
 * `/proc/<pid>/syscall`. Empty if they cannot be determined.
 */
export function polledDescriptors(pid: number, call: 'select' | 'poll' | 'epoll', args: readonly string[]): readonly number[] {
  try {
    const [first = '0', second = '0'] = args
    if (call === 'epoll') return ofEpoll(readFileSync(`/proc/${pid}/fdinfo/${Number(first)}`, 'latin1'))
    if (call === 'select')
      return ofSelect(memory(pid, BigInt(second), Math.ceil(Math.min(Number(first), MAX_DESCRIPTORS) / 64) * 8), Number(first))
    return ofPoll(memory(pid, BigInt(first), Math.min(Number(second), MAX_DESCRIPTORS) * 8))
  } catch {
    return []
  }
}

/** Parses lines such as `tfd: 0 events: 19 data: …`. */
function ofEpoll(info: string): readonly number[] {
  const targets = info.matchAll(/^tfd:\s*(\d+)\s+events:\s*([0-9a-f]+)/gm)
  return [...targets].filter(([, , events = '0']) => (Number.parseInt(events, 16) & READABLE) !== 0).map(([, fd]) => Number(fd))
}

function ofSelect(bits: Buffer, count: number): readonly number[] {
  return Array.from({ length: Math.min(count, bits.length * 8) }, (_, fd) => fd).filter((fd) => ((bits[fd >> 3] ?? 0) >> (fd & 7)) & 1)
}

/** `struct pollfd`: the descriptor in four bytes, the events in two, the answer in two. */
function ofPoll(entries: Buffer): readonly number[] {
  return Array.from({ length: entries.length / 8 }, (_, index) => index * 8)
    .filter((at) => (entries.readUInt16LE(at + 4) & READABLE) !== 0)
    .map((at) => entries.readInt32LE(at))
}

function memory(pid: number, address: bigint, length: number): Buffer {
  if (address === 0n || length === 0) return Buffer.alloc(0)
  const file = openSync(`/proc/${pid}/mem`, 'r')
  try {
    const bytes = Buffer.alloc(length)
    return bytes.subarray(0, readSync(file, bytes, 0, length, address))
  } finally {
    closeSync(file)
  }
}
