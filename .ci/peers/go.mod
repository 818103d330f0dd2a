module github.com/hashcrawl/hashcrawl/.ci/peers

go 1.26.0

require github.com/PuerkitoBio/purell v1.2.1

require (
	golang.org/x/net v0.62.0 // indirect
	golang.org/x/text v0.44.0 // indirect
)
