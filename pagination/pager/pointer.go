package pager

// A pointer is a direction that something else than a word gives.
type pointer uint8

const (
	points pointer = iota // nowhere
	pointsRight
	pointsLeft
	pointsFarRight
	pointsFarLeft
	namedNext
	namedPrev
	namedBoth
)

// pointer returns where the arrow of the text, an icon, or the name of the
// element point.
func (c *candidate) pointer() pointer {
	switch c.text.arrow {
	case arrowRight:
		return pointsRight
	case arrowLeft:
		return pointsLeft
	case arrowFarRight:
		return pointsFarRight
	case arrowFarLeft:
		return pointsFarLeft
	}
	near := c.own | c.inner
	switch n, p := near.has(tokNext), near.has(tokPrev); {
	case n && p:
		return namedBoth
	case n:
		return namedNext
	case p:
		return namedPrev
	}
	return c.icon()
}

// icon returns where an arrow that a template draws by a class points.
func (c *candidate) icon() pointer {
	right := c.own.has(tokRight)
	if right == c.own.has(tokLeft) {
		return points
	}
	switch far := c.own.has(tokFar); {
	case right && far:
		return pointsFarRight
	case right:
		return pointsRight
	case far:
		return pointsFarLeft
	}
	return pointsLeft
}
