import { expect, test } from 'vitest'
import { anthropicProfile } from '../../main/model-families/anthropic.ts'
import { profileForModel } from '../../main/model-families/profile-for-model.ts'
import { findModel } from '../../main/providers/catalogue/catalogue.ts'
import { TOOL_SPECS } from '../../shared/tools/catalogue.ts'

test('all tools of the Anthropic profile are built in, and none uses a patch format (S-26)', () => {
  expect(anthropicProfile.toolNames).toEqual(expect.arrayContaining(['read_file', 'write_file', 'edit_file', 'shell', 'grep', 'glob']))
  expect(anthropicProfile.toolNames).not.toContain('apply_patch')
  for (const name of anthropicProfile.toolNames) expect(TOOL_SPECS.has(name)).toBe(true)
})

test('the default time limit of a command is two minutes', () => {
  expect(anthropicProfile.defaultCommandTimeout).toBe(120_000)
})

test('the Anthropic profile’s project documents are AGENTS.md and CLAUDE.md', () => {
  expect(anthropicProfile.projectDocFiles).toEqual(['AGENTS.md', 'CLAUDE.md'])
})

test('the default model is in the catalog', () => {
  expect(findModel('anthropic', anthropicProfile.defaultModel)).not.toBeNull()
})

test('a provider without its own profile gets Anthropic’s tools (D-49)', () => {
  expect(profileForModel('rehearsal')).toBe(anthropicProfile)
  // A self-hosted server has no default model.
  expect(profileForModel('openai-compatible')).toEqual({ ...anthropicProfile, defaultModel: '' })
})
