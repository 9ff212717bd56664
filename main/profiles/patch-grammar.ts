/** What `apply_patch` reads, as a Lark grammar: a model that is held to it writes no patch that cannot be read. */
export const PATCH_GRAMMAR = String.raw`start: "*** Begin Patch" LF file+ "*** End Patch" LF?
file: added | deleted | updated
added: "*** Add File: " PATH LF ("+" TEXT LF)+
deleted: "*** Delete File: " PATH LF
updated: "*** Update File: " PATH LF ("*** Move to: " PATH LF)? hunk*
hunk: place+ line+ end? | line+ end?
place: "@@" (" " PATH)? LF
line: ("+" | "-" | " ") TEXT LF
end: "*** End of File" LF
PATH: /[^\n]+/
TEXT: /[^\n]*/
%import common.LF
`
