/** What `apply_patch` reads, as a Lark grammar: a model that is held to it writes no patch that cannot be read. No terminal can be empty. */
export const PATCH_GRAMMAR = String.raw`start: "*** Begin Patch" LF file+ "*** End Patch" LF?
file: added | deleted | updated
added: "*** Add File: " PATH LF ("+" TEXT? LF)+
deleted: "*** Delete File: " PATH LF
updated: "*** Update File: " PATH LF (moved changes? | changes)
moved: "*** Move to: " PATH LF
changes: first hunk* | hunk+
first: context* changed (context | changed)* end?
hunk: place+ first
place: "@@" (" " TEXT)? LF
context: " " TEXT? LF
changed: ("+" | "-") TEXT? LF
end: "*** End of File" LF
PATH: /\S[^\n]*/
TEXT: /[^\n]+/
%import common.LF
`
