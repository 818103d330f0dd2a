// Package frontier decides which URL of a crawl is fetched next, and when.
//
// # States
//
// An entry is one URL waiting for its fetch. It moves like this:
//
//	        Add (seen set says new)
//	            │
//	            ▼
//	┌────── waiting ◄──────────────┐
//	│           │ Acquire          │ Finish(Requeue): same place in its queue
//	│           ▼                  │ Finish(Again): again after a backoff
//	│        leased ───────────────┘
//	│           │ Finish(Done)
//	│           ▼
//	│      an [Outcome]: indexed, redirect, refused by robots, failed, …
//	│
//	└─ a link that is not to be followed gets its outcome at once and is
//	   never queued: out of scope, nofollow, trap rule, …
//
// Waiting entries of one host and class are a first-in first-out queue: the
// sequence numbers Head to Tail of the host record. There are no queue
// entries beside the URL records; only Head and Tail move.
//
// An [Errand] is a request without an entry. It goes through the queue of its
// host before all entries, and is never lost while the frontier is open: what
// is not finished with Done waits where it was. A host that is held for an
// errand elsewhere has none of its entries leased, but carries out errands.
//
// Hosts have their turns in the order in which they became ready. The hosts of
// one address stand in line for it, and one of them is called at a time.
//
// An entry that was leased at three crashes of the process is a suspect: it waits
// until nothing else is left and is then leased alone. Three crashes in which it
// was alone prove that it is what kills the process; see [Frontier.Crashed]. So it is
// with errands, whose host waits for them meanwhile.
//
// # Invariants
//
//  1. At most one lease is out per host, and per address once it is known.
//  2. No lease is given before the host's Next, nor before the address's.
//  3. A key is added once: the seen set and the queue change together. Every
//     key counts at one [Outcome], so that [Counts] sum up to what is known.
//  4. Head moves past an entry only in the same [Changes] as its outcome, so
//     after a crash whatever was leased is waiting again.
//  5. Changes reach the journal in the order in which they were decided, so
//     that no change is durable before one that it depends on.
//
// # Guarantees
//
// Every key that was added is leased at least once, and once only unless its
// fetch was retried, requeued or cut off by a crash, and never again once it is
// proved that it kills the process.
//
// In memory are the hashes of all keys, a seat of 32 bytes and a turn of 24 for
// each host, the state of some 130,000 hosts that are awake, and a short window of
// their waiting entries. The rest is read back from the [Store]: a host wakes when
// its turn has come or a link to it is found, and falls asleep, when too many are
// awake, unless it has a lease, errands or retries, is held or parked.
//
// The package does no I/O of its own, and knows nothing of HTTP or of robots
// beyond the results that it is told.
package frontier
