import { FOUND_IN, MAX_HITS } from '../../../shared/api/history.ts'

/** The part of `--help` about commands. It is not kept with each command, because a command's file is loaded only when it runs. */
export const COMMANDS_HELP = `Stored sessions
  export ID            prints a session with its subagents; known keys are hidden. --format markdown (default), html (one
                       file without scripts) or json (JSON lines that import reads). ID "last": the newest session
  import FILE          adds a session from our JSON, or from a transcript of Claude Code or Codex. --preview only says
                       what it would add. JSON unless in a terminal; --json, --no-json
  search "WORDS"       finds messages, answers, plans, changes, refused changes, commands and outputs of all sessions that
                       contain all the words, newest first, at most ${MAX_HITS}. --in ${FOUND_IN.join('|')}:
                       only there. --changed FILE: only sessions that changed this path or glob. --json for programs.
                       Exits with code 1 if nothing is found
  blame FILE:LINE      says which session, request, step and tool wrote a line of the current file, or that it was changed
                       outside of Countersign. FILE is relative to --cwd, if given. --json for programs
  doctor               checks everything that is stored: the database, each event and stored content, the list and the search
                       index. --repair rebuilds the list and the search index from the log and sets damaged events aside;
                       no other Countersign may have the data folder open. Exits with code 1 if damage remains
  layers list          lists the layers of sessions beside their folders, with sizes, and what deleted sessions had left in
                       theirs (the bin, as plain files). --json for programs
  layers drop ID       removes the layer of a session, or of a deleted one from the bin. It asks first; --yes does not. What
                       was not brought in is lost. The session goes on in a new layer

Other machines
  places list          lists what Countersign has on other machines: containers and pods that it made for sessions, and its
                       code and processes on machines with sessions, with ages. --json for programs
  places stop ADDRESS  ends what it has there. Changes in a pod are fetched first, and its session makes a new one when it
                       goes on. --uninstall removes everything for good: its code on a machine, or the container, the pod
                       and its volume. It asks first; --yes does not
  bring-in SESSION_ID|last --branch NAME
                       makes a branch in the folder's repository with the work of a session beside it or in a clone
                       (k8s://…): its commits, and one commit with the rest. Files and the checked-out branch stay as they
                       are. It asks first; --yes does not

MCP servers
  mcp list             starts the servers of mcp.json in the data folder, and those of .mcp.json of the project folder that
                       you approved, and prints their state, tools and descriptions. --json for programs
  mcp approve SERVER [HASH]
                       starts one server, prints its tools with descriptions and arguments, and asks whether the model may
                       use them.
                       Without a terminal, HASH (printed by mcp list and mcp approve) says which tools you approve.
                       --let-out runs it with all your rights from now on, not confined to the folder without network. If
                       files that it names changed since you trusted them, HASH says which content you trust
  mcp import [SERVER…] lists the servers of Claude Code, VS Code, Codex and Gemini: yours, and those of the project folder.
                       With names (or AGENT:NAME), adds these to mcp.json in the data folder. --json for programs
                       Values that look like secrets are not copied: the entry refers to variables of these names.
                       --keep-secrets copies them in clear text`
