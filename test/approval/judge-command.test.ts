import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it, onTestFinished } from 'vitest'
import { judgeCommand } from '../../main/approval/judge-command.ts'

const PLACE = { cwd: '/ws/sub', root: '/ws', home: '/home/ada' }
const judge = (command: string, place = PLACE) => judgeCommand(command, place)
const harmless = { destructive: false, beyond: false, control: null, ruins: null }
const destructive = { ...harmless, destructive: true }

/** Runs a line in bash with an `rm` that only leaves a note, and says whether it ran. */
function removesInBash(line: string): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-oracle-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  writeFileSync(join(folder, 'rm'), `#!/bin/sh\n: > '${join(folder, 'ran')}'\n`)
  chmodSync(join(folder, 'rm'), 0o755)
  try {
    execFileSync('/bin/bash', ['-c', line], { cwd: folder, stdio: 'pipe', env: { PATH: `${folder}:/usr/bin:/bin` }, timeout: 10_000 })
  } catch {
    // How the line ends does not matter.
  }
  return existsSync(join(folder, 'ran'))
}

describe('what really removes is marked (C20), with bash itself as the witness', () => {
  it.each([
    'rm x',
    '/bin/true; rm x',
    'true && rm x',
    'false || rm x',
    'true | rm x',
    'true & rm x; wait',
    'true\nrm x',
    '(rm x)',
    '{ rm x; }',
    'if true; then rm x; fi',
    'while rm x; do break; done',
    'for i in 1; do rm $i; done',
    '! rm x',
    'echo $(rm x)',
    'echo "$(rm x)"',
    'echo `rm x`',
    'cat <(rm x)',
    'echo "${y:-$(rm x)}"',
    "r''m x",
    'r\\m x',
    "$'\\x72m' x",
    "$'r\\155' x",
    'r\\\nm x',
    'A=1 rm x',
    'env rm x',
    "env -S 'rm x'",
    'env -u HOME A=1 rm x',
    'nice -n 5 rm x',
    'timeout 5 rm x',
    'timeout -s KILL 5 rm x',
    'nohup rm x',
    'command rm x',
    'exec rm x',
    'time rm x',
    'coproc rm x; wait',
    'echo x | xargs rm',
    'echo x | xargs -n 1 rm',
    'bash -c "rm x"',
    "sh -ec 'true; rm x'",
    'eval "rm x"',
    "trap 'rm x' EXIT",
    'bash <<EOF\nrm x\nEOF',
    'cat <<EOF\n$(rm x)\nEOF',
    'f() { rm x; }; f',
    'case a in a) rm x;; esac',
    'find . -maxdepth 0 -exec rm {} +',
    'true # comment\nrm x',
    'echo "<<EOF"\nrm x\nEOF',
    "python3 -c \"import subprocess; subprocess.run(['rm', 'x'])\"",
  ])('%j', (line) => {
    expect(removesInBash(line)).toBe(true)
    expect(judge(line).destructive).toBe(true)
  })
})

describe('what removes nothing is not marked', () => {
  it.each([
    'ls -la',
    'npm test',
    'git status && git log --oneline',
    'git commit -m "rm the old files"',
    'echo rm',
    "grep -rn 'rm -rf' src",
    'cat <<EOF\nrm x\nEOF',
    "cat > run.sh <<'EOF'\nrm x\nEOF",
    'echo hi > out.txt 2>&1',
    'echo a >> log',
    'make 2>/dev/null',
    'true # rm x',
    'git checkout main',
    'git reset HEAD~1',
    'git clean -n',
    'git stash',
    'git push',
    'git push origin main',
    'git restore --staged a.ts',
    'git rm --cached a.ts',
    'docker ps',
    'find . -name "*.ts"',
    'python3 -m pytest',
    'node -e "console.log(1)"',
    'cd src && ls',
    '',
    '   ',
  ])('%j', (line) => {
    expect(judge(line)).toEqual(harmless)
  })
})

describe('kinds of destruction', () => {
  it.each([
    'rm -rf build',
    'chmod +x run.sh',
    'chown -R ada .',
    'truncate -s 0 log',
    '> log',
    ': > log',
    'find . -name "*.tmp" -delete',
    'git reset --hard',
    'git clean -fdx',
    'git checkout .',
    'git checkout -- a.ts',
    'git restore a.ts',
    'git stash drop',
    'git branch -D old',
    'rsync -a --delete a/ b/',
    'rm *.o',
    'shred x',
  ])('%j destroys inside', (line) => {
    expect(judge(line)).toEqual(destructive)
  })

  it.each([
    'rm -rf /tmp/x',
    'rm -rf ../../other',
    'rm -rf ~/x',
    'rm -rf $UNSET/',
    'rm -rf "$DIR"',
    'cd / && rm -rf tmp',
    'cd .. && cd .. && rm -rf x',
    'sudo rm x',
    'git push --force',
    'git push origin +main',
    'git push origin :old',
    'git -C ../../other reset --hard',
    'dd if=/dev/zero of=/dev/sda',
    'mkfs.ext4 /dev/sda1',
    'docker system prune -f',
    'kubectl delete pod x',
    'terraform destroy',
    "psql -c 'DROP TABLE users'",
    ':(){ :|:& };:',
    'rm --files0-from=$LIST',
    'python3 -c "import shutil; shutil.rmtree(\'x\')"',
  ])('%j may reach further', (line) => {
    expect(judge(line)).toEqual({ ...destructive, beyond: true })
  })

  it('a parent that is still inside does not lead out', () => {
    expect(judge('rm -rf ../build')).toEqual(destructive)
  })
})

describe('any input', () => {
  it('C8: 200 kB, 500 nested substitutions and deep shells are judged in bounded time', () => {
    expect(judge(`${'true && '.repeat(25_000)}rm x`).destructive).toBe(true)
    expect(judge(`${'$('.repeat(500)}rm x${')'.repeat(500)}`).destructive).toBe(true)
    expect(judge(`echo ${"$'\\x41'".repeat(18_000)}`)).toEqual(harmless)
    expect(judge(`${"cat <<'E'\nrm x\nE\n".repeat(1_900)}rm x`).destructive).toBe(true)
    expect(judge('cat <<E\n'.repeat(15_000)).destructive).toBe(true)
    expect(judge(`${'A=1 '.repeat(30_000)}echo x`)).toEqual(harmless)
    expect(judge(`${'env '.repeat(30_000)}rm x`).destructive).toBe(true)
    const nested = Array.from({ length: 12 }).reduce<string>((inner) => `bash -c ${JSON.stringify(inner)}`, 'ls')
    expect(judge(nested).destructive).toBe(true)
  })

  it('never throws', () => {
    const piece = fc.constantFrom(
      'rm',
      ' ',
      "'",
      '"',
      '`',
      '$(',
      ')',
      '(',
      '<<EOF',
      '\n',
      'EOF',
      '\\',
      ';',
      '|',
      '>',
      '<',
      '&',
      "$'",
      '#',
      '{',
      '}',
      'x',
      '/',
      '~',
      '*',
      '-',
    )
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: 'binary' }),
          fc.array(piece).map((all) => all.join('')),
        ),
        (line) => {
          expect(Object.keys(judge(line))).toEqual(['destructive', 'beyond', 'control', 'ruins'])
        },
      ),
      { numRuns: 2000 },
    )
  })
})
