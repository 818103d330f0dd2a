package robots

// maxNotes and maxNoteText bound what a hostile file can make us remember.
const (
	maxNotes    = 100
	maxNoteText = 200
)

// A NoteKind says what is wrong with a line.
type NoteKind string

const (
	NoteUnknown   NoteKind = "unknown-directive"
	NoteOrphan    NoteKind = "before-user-agent" // counts for nobody
	NoteNoSlash   NoteKind = "no-leading-slash"  // can match nothing
	NoteHashbang  NoteKind = "hashbang-in-rule"  // "/*#!" forbids all: '#' starts a comment
	NoteDelay     NoteKind = "bad-crawl-delay"
	NoteTruncated NoteKind = "truncated" // lines from here on are not read
)

// A Note is something about one line that its author should know.
type Note struct {
	Line int
	Kind NoteKind
	Text string // the line, at most 200 bytes of it
}

func (p *parser) note(line int, kind NoteKind, text string) {
	if len(p.file.notes) < maxNotes {
		text = text[:min(len(text), maxNoteText)]
		p.file.notes = append(p.file.notes, Note{Line: line, Kind: kind, Text: text})
	}
}
