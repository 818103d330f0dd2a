package storage

import (
	"encoding/binary"

	"github.com/hashcrawl/hashcrawl/frontier"
)

// Format is the number of the layout described here. A change of the layout
// raises it.
const Format = 2

// The buckets and their keys; integers are big-endian, so that the order of
// the bytes is that of the numbers.
//
//	meta    name                             → see the names below
//	log     <8 B number>                     → <4 B CRC32C> <records>
//	hash    <8 B number of the last log record> <4 B block> → <4 B CRC32C> hashes of known keys, 8 B each, rising
//	host    <4 B host>                       → frontier.Host
//	run     <1 B table>                      → the runs of a packed table, see run.go
//	block   <1 B table> <4 B run> <4 B host> <1 B class> <4 B seq> → records, see block.go
//	retry   <4 B host> <1 B class> <4 B seq> → due, attempts, crashes
//	robots  origin                           → Robots
//	series  <16 B key of its identity>       → Series
//	shell   display URL                      → Shell
//	lease   <4 B slot>                       → <4 B host> <1 B class> <4 B seq> <1 B alone> <URL of an errand>
//	name    host name, reversed (SSURT)      → <4 B host>
//
// Log, hashes, runs and blocks are written by the writer alone; the others are the
// tables that log records name. Two tables have no bucket of their own, and stand in
// the blocks:
//
//	url     <4 B host> <1 B class> <4 B seq> → frontier.Entry
//	page    <4 B host> <1 B class> <4 B seq> → Page
//
// The layout of format 1 is described in migrate.go.
var (
	bucketLog  = []byte("log")
	bucketHash = []byte("hash")
)

// A table is a bucket that log records are applied to. The numbers stand in
// log records: append, never renumber.
type table uint8

const (
	tableMeta table = iota
	tableHost
	tableURL
	tablePage
	tableRetry
	tableRobots
	tableSeries
	tableShell
	tableLease
	tableName
	numTables
)

// hashOp marks, where a table would stand in a log record, hashes of new keys.
const hashOp = table(0xff)

var tableBuckets = [numTables][]byte{
	[]byte("meta"), []byte("host"), []byte("url"), []byte("page"), []byte("retry"), []byte("robots"), []byte("series"),
	[]byte("shell"), []byte("lease"), []byte("name"),
}

// The names in the meta table.
const (
	metaFormat  = "format"  // 4 B
	metaSecret  = "secret"  // 16 B, the key of the hashes
	metaCreated = "created" // 8 B, Unix milliseconds
	metaNorm    = "norm"    // ID of the normaliser whose keys were hashed
	metaConfig  = "config"  // what the crawler stored, JSON
	metaCounts  = "counts"  // one uvarint per frontier.Outcome
	metaErrand  = "errand " // and the URL of one under which the process died: how often in company, and alone, 1 B each
)

const (
	idSize      = 9
	hashKeySize = 12
)

func appendID(b []byte, id frontier.ID) []byte {
	b = binary.BigEndian.AppendUint32(b, uint32(id.Host))
	b = append(b, byte(id.Class))
	return binary.BigEndian.AppendUint32(b, id.Seq)
}

func parseID(b []byte) (frontier.ID, bool) {
	if len(b) != idSize {
		return frontier.ID{}, false
	}
	return frontier.ID{
		Host:  frontier.HostID(binary.BigEndian.Uint32(b)),
		Class: frontier.Class(b[4]),
		Seq:   binary.BigEndian.Uint32(b[5:]),
	}, true
}

func appendHostKey(b []byte, id frontier.HostID) []byte {
	return binary.BigEndian.AppendUint32(b, uint32(id))
}
