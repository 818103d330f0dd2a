package demosite

import "strings"

// chartStates are the states of the application at /chart, whose document has
// no opt-in: only links with a state lead there. Between them they hold every
// kind of byte that the scheme escapes.
var chartStates = []struct{ state, title, lang, text string }{
	{"q=fog+signal&sort=height", "Search: fog signal, by height", "en", "Two signals, the higher one first."},
	{"/find?q=R%26D&area=north", "Search: R&D in the north", "en", "The workshop where fog horns were tried out."},
	{"/humidity/100%", "Humidity 100 %", "en", "It rained in the lamp room."},
	{"/chart/g", "Chart G", "en", "Grey water, few soundings."},
	{"/chart/s", "Chart S", "en", "Sand and the head of St Anne."},
	{"/chart/m", "Chart M", "en", "Where the dancers are seen."},
	{"/chart/h", "Chart H", "en", "Hidden at high water."},
	{"/světla/Žlutý kůň", "Maják Žlutý kůň", "cs", "Příliš žluťoučký kůň úpěl ďábelské ódy, dokud maják nezhasl."},
	{"/海图/北湾", "海图：北湾", "zh", "北湾的灯塔在雾中看不见，只能听见。"},
	{"/карта/залив", "Карта: залив", "ru", "Маяк стоит на скале посреди залива."},
	{"/خريطة/الخليج", "خريطة الخليج", "ar", "المنارة على الصخرة في وسط الخليج."},
	{"/نقشه/خلیج\u200cمه", "نقشهٔ خلیج مه", "fa", "فانوس دریایی در مه دیده نمی\u200cشود، اما صدایش می\u200cآید."},
}

// chartPages are the chart's shell and states. Each state links to all of
// them, as a menu does.
func chartPages() []page {
	var menu strings.Builder
	menu.WriteString("<ul>\n")
	for _, c := range chartStates {
		menu.WriteString("<li>" + link("#!"+c.state, c.title) + "</li>\n")
	}
	menu.WriteString("</ul>\n")
	bare := shell("/chart", "", false).excluded("no link", false)
	pages := []page{bare}
	for _, c := range chartStates {
		pages = append(pages, state("/chart", c.state, c.title, "<p>"+c.text+"</p>\n"+menu.String()).in(c.lang))
	}
	return pages
}
