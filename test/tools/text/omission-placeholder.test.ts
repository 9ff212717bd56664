import { describe, expect, it } from 'vitest'
import { omissionPlaceholder } from '../../../main/tools/text/omission-placeholder.ts'

describe('D-52: placeholders for omitted text', () => {
  it.each([
    '// ... rest of the code unchanged',
    '// rest of the file',
    '  // ... existing code ...',
    '# ... rest of function ...',
    '# rest of the implementation remains the same',
    '/* ... other methods ... */',
    '{/* ... existing imports ... */}',
    '{/* existing imports unchanged */}',
    '<!-- rest of the content -->',
    '-- remaining code unchanged',
    '// existing code here',
    '// unchanged code',
    '... (rest of the code) ...',
    '[rest of the file unchanged]',
    '// … remaining tests',
    '// ... keep existing code ...',
    '// previous code stays',
    '(rest of methods ...)',
    '// Rest of your code...',
    '# ... remains the same',
    '// ... unchanged ...',
    '<!-- rest unchanged -->',
    '// everything else stays the same',
    '/* existing code */',
    '# existing code',
    '// same as before',
    '{/* ...rest */}',
    '// ...existing',
    '…existing',
    '... rest',
    '...existing code...',
  ])('%s is found', (line) => {
    expect(omissionPlaceholder(`a()\n${line}\nb()`, '')).toBe(line.trim())
  })

  it.each([
    '// the rest of the world',
    '// keep the rest of the queue for the next turn',
    'const rest = args.slice(1)',
    '// ...',
    '...',
    'return [...rest, other]',
    '# existing users keep their old settings',
    '// other',
    '## Existing code',
    '{/* existing imports */}',
    'const text = "rest of the code unchanged"',
    '// Reads the remaining bytes.',
    '// removes the rest of the line when the code is unchanged',
    '  ...existing,',
    '...props',
    '// Same as above, for folders.',
    '* existing behaviour is kept',
    '{...rest}',
    '{ ...rest }',
    '...rest',
    '[...remaining]',
    '{...existing}',
    '[...existing]',
    '(...rest)',
    '...(rest)',
    '...rest as Props',
    '{ ...other.props }',
    '...remaining[0]',
    '(rest...)',
    '# Existing code',
    '// same as above',
  ])('%s is not a placeholder', (line) => {
    expect(omissionPlaceholder(`a()\n${line}\nb()`, '')).toBeNull()
  })

  it('a line that was already in the file is not a placeholder', () => {
    expect(omissionPlaceholder('x\n// ... existing code ...\n', 'y\n  // ... existing code ...\n')).toBeNull()
  })
})
