import { z } from 'zod'
import { named, rename, timeout } from '../foreign-arguments/argument-aliases.ts'
import { ShellDetails } from './shell.ts'
import { NO_DETAILS, toolSpec } from '../spec/tool-spec.ts'
import { callLine, textArgument } from '../spec/call-line.ts'

const COMMAND_ID = named(['bash_id', 'shell_id', 'task_id'], rename('id'))

export const BashOutputInput = z.object({
  id: z.string().optional().describe('Id of the background command, such as bg_1. Default: the newest.'),
  filter: z.string().optional().describe('Return only lines that match this regular expression. The other lines count as read.'),
  command: z.string().min(1).optional().describe('Run this command in the persistent bash process instead and return only its output.'),
  timeout_ms: z.number().int().min(1).optional().describe('Time limit of the command in milliseconds, at most 600000.'),
})
export type BashOutputInput = z.infer<typeof BashOutputInput>

/** Details of a read of a background command. `exitCode` is null while the command is running or if a signal ended it. */
export const BashOutputDetails = z.object({
  id: z.string(),
  command: z.string(),
  running: z.boolean(),
  exitCode: z.number().nullable(),
  /** Whether anything was printed since the last read. `nothing_matching`: lines were printed, but the filter leaves out all of them. */
  printed: z.enum(['text', 'nothing', 'nothing_matching']).default('text'),
  /** Lines of the output that are only for the model: whether the command is still running. */
  forModel: z.array(z.string()).default([]),
})
export type BashOutputDetails = z.infer<typeof BashOutputDetails>

export const bashOutputSpec = toolSpec({
  name: 'bash_output',
  verb: 'Read output',
  description: 'Returns what a background command has printed since the last read, and whether it is still running.',
  use: 'Use it to follow a background command.',
  isOffered: true,
  input: BashOutputInput,
  details: z.union([ShellDetails, BashOutputDetails]),
  line(call, details) {
    const command = textArgument(call, 'command').trim()
    if (command !== '') return callLine('Run', command)
    const read = details && 'running' in details ? details : null
    const id = textArgument(call, 'id')
    return callLine('Read output', read?.id ?? id, read?.command ?? (id === '' ? 'of the newest command' : ''))
  },
  runsCommand: ({ command }) => typeof command === 'string',
  otherNames: ['BashOutput'],
  aliases: { ...COMMAND_ID, ...named(['pattern', 'regex'], rename('filter')), timeout },
})

export const KillShellInput = z.object({
  id: z.string().optional().describe('Id of the background command, such as bg_1. Default: the newest that runs.'),
})
export type KillShellInput = z.infer<typeof KillShellInput>

export const killShellSpec = toolSpec({
  name: 'kill_shell',
  verb: 'Stop',
  description:
    'Stops a background command with everything that it started. If none runs and no id is given, stops the persistent bash process.',
  use: 'Stop what you started in the background once you no longer need it.',
  isOffered: true,
  input: KillShellInput,
  details: NO_DETAILS,
  line(call) {
    const id = textArgument(call, 'id')
    return callLine('Stop', id, id === '' ? 'the newest background command or the shell' : 'in the background')
  },
  otherNames: ['KillShell', 'KillBash'],
  aliases: COMMAND_ID,
})
