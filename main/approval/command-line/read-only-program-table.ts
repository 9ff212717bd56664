/**
 * Programs that only read, one per line: `program | short flags | long flags | operands | source`. A flag that is not in the line, and a
 * program without a line, are not proven to only read. The table omits flags that write (`sort -o`), start a program (`rg --pre`),
 * read a file from their value (`grep -f`) or follow links (`ls -L`), and flags with other meanings in other builds of the program.
 *
 * - program: with its subcommand, if it has any. `!`: no flag in any build of it writes or starts anything, so that a file called `-x`
 *   among the matches of `*` does no harm.
 * - short flags: letters. Letters after `:` take a value that is not a path. `#`: numbers such as `-20` are flags too.
 * - long flags: with or without `=value`. `-name` (one dash) has no value. Flags after `:` use the next word, which is not a path.
 * - operands: `none`, `texts` (no paths), `path` (at most one), `paths`, `plain-paths` (none begins with `@`), `text+paths` (the first is
 *   not a path). Others are patterns in `read-only-program.ts`.
 * - source: the manual that confirms the line, and which flags are omitted for which reason.
 */
export const READ_ONLY_PROGRAM_TABLE = String.raw`
ls ! | aAbBcCdfFghGiklmnNopqQrRsStuUvwxXZ1 | all almost-all human-readable color sort time reverse recursive size directory group-directories-first full-time time-style classify file-type inode no-group format | paths | coreutils
cat ! | AbeEnstTuv | number number-nonblank show-all show-ends show-tabs squeeze-blank show-nonprinting | paths | coreutils
head ! | qvz:nc# | lines bytes quiet silent verbose | paths | coreutils
tail ! | qvz:nc# | lines bytes quiet silent verbose | paths | coreutils
wc ! | cmlLw | bytes chars lines words max-line-length | paths | coreutils
nl ! | p:bhfvinswd |  | paths | coreutils
tac ! | br |  | paths | coreutils
cut ! | nsz:bcdf | bytes characters fields delimiter complement only-delimited output-delimiter | paths | coreutils
paste ! | sz:d |  | paths | coreutils
fold ! | bs:w |  | paths | coreutils
tr | cCdst | complement delete squeeze-repeats truncate-set1 | texts | coreutils
sort | bdfghiMnRrVcCmsuz:kt | reverse numeric-sort unique human-numeric-sort version-sort key field-separator check stable ignore-case | paths | coreutils
uniq | cdDiuz:fsw | count repeated unique ignore-case | path | coreutils: a second operand is written
comm ! | 123z |  | paths | coreutils
cmp ! | bls:n |  | paths | diffutils
diff | abBcdeEiNpqrstTuwyZ:UCWxI | unified brief recursive color ignore-all-space ignore-case ignore-blank-lines side-by-side text new-file exclude width minimal | paths | diffutils
basename | az:s |  | texts | coreutils
dirname | z |  | texts | coreutils
realpath ! | emsz |  | paths | coreutils
readlink ! | efmnqsvz |  | paths | coreutils
stat ! | tx:cf | format printf terse | paths | coreutils
file | biIN | brief mime mime-type mime-encoding | paths | file(1): -C writes, -m names a file, -z starts programs
du ! | abchkmsSx0:d | all apparent-size bytes total human-readable max-depth summarize | paths | coreutils
df ! | ahHikmPTl | human-readable | paths | coreutils
tree | adfhsDpugFCrtn:LPI | dirsfirst gitignore noreport prune | paths | tree(1): -o and -R write, -l follows links
md5sum ! | btz |  | paths | coreutils
sha1sum ! | btz |  | paths | coreutils
sha256sum ! | btz |  | paths | coreutils
base64 | d:w | decode wrap | path | coreutils; on macOS -o writes and -i names a file
shasum | b:a |  | paths | shasum(1)
od ! | abcdosvx:ANjtw |  | paths | coreutils
hexdump | bcCdovx:ns |  | paths | hexdump(1): -f names a file
xxd | abeEipu:cglos |  | path | xxd(1): a second operand is written
strings | aw:nt |  | plain-paths | binutils: @file stands for the words of a file
column | t:s |  | paths | column(1)
grep | abcEFGhHiIlLnoPqrsTvwxyz:ABCm# | include exclude exclude-dir color colour context after-context before-context count files-with-matches files-without-match ignore-case invert-match line-number max-count only-matching quiet recursive word-regexp extended-regexp fixed-strings perl-regexp with-filename no-filename no-messages text | text+paths | grep: -f names a file, -R follows links
egrep | abchHiIlLnoqrsTvwxyz:ABCm# |  | text+paths | grep
fgrep | abchHiIlLnoqrsTvwxyz:ABCm# |  | text+paths | grep
rg | iSsnNlcovwxFUHIaP:ABCgtTmMdr | glob iglob type type-not ignore-case smart-case case-sensitive line-number no-line-number files-with-matches count count-matches only-matching invert-match word-regexp fixed-strings multiline hidden no-ignore heading no-heading color context after-context before-context max-count max-depth max-columns sort json stats with-filename no-filename | text+paths | rg(1): --pre, -z and --hostname-bin start programs, -L follows links
find |  | -not -a -and -o -or -print -print0 -prune -empty -readable -writable -executable -true -false -depth -daystart -mount -xdev -ls -quit : -name -iname -path -ipath -wholename -type -maxdepth -mindepth -size -mtime -mmin -atime -ctime -cmin -regex -iregex -regextype -perm -user -group -links -newermt -printf | paths | findutils: -exec, -ok start programs, -delete, -fprint, -fls write, -L follows links
sed | nErsz | quiet silent regexp-extended | sed | sed: w, W and e in a script write or start programs, -i writes
awk | :F |  | awk | POSIX awk: print to a file, getline and system are no part of the pattern
jq | rcesnSMCja | raw-output compact-output exit-status slurp null-input sort-keys monochrome-output color-output tab | jq | jq manual: no filter writes or starts a program; import, include and modulemeta read files
echo | neE |  | texts | Bash manual
printf |  |  | printf | Bash manual: -v and %n set a variable
test | bcdefghLnprsuwxzSkOG |  | texts | Bash manual: -v evaluates its operand
[ | bcdefghLnprsuwxzSkOG |  | texts | Bash manual: -v evaluates its operand
pwd | LP |  | none | Bash manual
true |  |  | none | Bash manual
false |  |  | none | Bash manual
: |  |  | texts | Bash manual
type | atpPf |  | texts | Bash manual
which | as |  | texts | which(1)
command -v |  |  | texts | Bash manual
command -V |  |  | texts | Bash manual
date | uIR | utc iso-8601 rfc-3339 | format | coreutils: an operand without + and -s set the clock
uname | asnrvmpio |  | none | coreutils
whoami |  |  | none | coreutils
id | ugnGr |  | texts | coreutils
hostname | sI |  | none | hostname(1): an operand sets it
nproc |  | all | none | coreutils
arch |  |  | none | coreutils
uptime | ps |  | none | uptime(1)
free | bhkmgtw |  | none | free(1)
ps | Aaefljux:p |  | letters | ps(1): without a dash, e shows the environment
sleep |  |  | texts | coreutils
seq | w:fs |  | texts | coreutils
node --version |  |  | none | node(1)
node -v |  |  | none | node(1)
python --version |  |  | none | python(1)
python3 --version |  |  | none | python3(1)
python3 -V |  |  | none | python3(1)
rg --version |  |  | none | rg(1)
bash --version |  |  | none | bash(1)
gcc --version |  |  | none | gcc(1)
clang --version |  |  | none | clang(1)
make --version |  |  | none | make(1)
ruby --version |  |  | none | ruby(1)
perl --version |  |  | none | perl(1)
php --version |  |  | none | php(1)
git status | sbvu | short branch porcelain untracked-files ignored long verbose ahead-behind renames | paths | git
git log | pszuw:nUSG# | @log | paths | git: -L shows lines of the file in its value
git show | pszuw:nUSG | @log | paths | git
git diff | pszuw:nUSG | @log cached staged merge-base check exit-code quiet | paths | git: with a path outside it reads that file
git stash list | pszuw:nUSG | @log | none | git
git reflog | pszuw:nUSG# | @log | none | git: expire and delete write
git blame | wMCsetl:L |  | paths | git
git branch | arv | all remotes list show-current verbose no-color | none | git: an operand makes a branch
git tag | l | list | none | git: an operand makes a tag
git remote | v | verbose | none | git: subcommands change it
git remote get-url |  |  | texts | git
git rev-parse | q | show-toplevel abbrev-ref short verify is-inside-work-tree git-dir show-prefix show-cdup symbolic-full-name absolute-git-dir is-bare-repository | texts | git
git ls-files | cdmostvzu | cached deleted modified others exclude-standard stage | paths | git
git ls-tree | rtdlz | name-only full-tree | texts | git
git shortlog | sne | all since until no-merges | texts | git
git describe |  | tags always long abbrev | texts | git: --dirty writes the index
git merge-base | a |  | texts | git
git rev-list | :n | count all max-count since until first-parent left-right no-merges | texts | git
git cat-file | pest |  | paths | git: HEAD:file is a file
git for-each-ref |  | format sort count | texts | git
git show-ref |  | heads tags verify | texts | git
git check-ignore | vqn |  | paths | git
git worktree list |  | porcelain | none | git
git grep | inlwcEFvohIp:ABCm# |  | text+paths | git: -O starts a pager
git config --get |  |  | texts | git
git count-objects | vH |  | none | git
git --version |  |  | none | git
`

/** Flags of `git log` and similar commands, which the table calls `@log`. */
export const LOG_FLAGS = `
oneline graph decorate no-decorate all branches tags remotes stat shortstat numstat name-only name-status summary abbrev-commit abbrev
format pretty since until after before author grep merges no-merges first-parent follow max-count skip reverse date patch no-patch color
no-color left-right unified word-diff find-renames diff-filter ignore-all-space no-ext-diff no-textconv topo-order date-order relative-date
`
