package ajaxscheme

// PrettyLine and UglyLine map one line of text for the command map. A line
// that is in the wanted form already, or in neither, comes back as it is,
// with mapped false.

// PrettyLine maps an ugly URL to its pretty or plain one.
func PrettyLine(line string) (_ string, mapped bool) {
	pretty, err := Pretty(line)
	if err != nil {
		return line, false
	}
	return pretty, true
}

// UglyLine maps a pretty URL to its ugly one. A plain URL is not mapped: its
// page may not have opted in.
func UglyLine(line string) (_ string, mapped bool) {
	ugly, err := Ugly(line)
	if err != nil {
		return line, false
	}
	return string(ugly), true
}
