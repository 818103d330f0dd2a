package urlnorm

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/lexer"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"
)

// hostFile is the form of a file of host rules.
type hostFile struct {
	Hosts []HostRules `yaml:"hosts"`
}

// ParseHostRules reads a file of host rules:
//
//	hosts:
//	  - host: "*.example.com"
//	    profile: aggressive
//	    rules: [+sort-query, -www]
//	    unused-params: [sid, "ref_*"]
//	    default-params: {sort: date}
//	    directory-index: [home.html]
//	    keep-fragments: ["/"]
//
// It reads strictly: an unknown or doubled key, an unknown profile or rule, a
// bad host, an anchor, alias or tag is ErrConfig, and the message begins with
// the line.
func ParseHostRules(data []byte) ([]HostRules, error) {
	if err := checkTokens(string(data)); err != nil {
		return nil, err
	}
	f, err := decodeHostFile(data)
	if err != nil {
		return nil, err
	}
	for i, h := range f.Hosts {
		if _, err := New(Config{Hosts: f.Hosts[:i+1]}); err != nil {
			return nil, fmt.Errorf("line %d: %w", lineOf(data, i, badValue(h)), err)
		}
	}
	return f.Hosts, nil
}

// decodeHostFile decodes the file. The library has panicked on files that are
// no YAML; to the user that is a mistake in the file like any other.
func decodeHostFile(data []byte) (f hostFile, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("%w: the file cannot be read as YAML: %v", ErrConfig, r)
		}
	}()
	d := yaml.NewDecoder(bytes.NewReader(data), yaml.Strict(), yaml.DisallowUnknownField())
	if err := d.Decode(&f); err != nil && !errors.Is(err, io.EOF) {
		return hostFile{}, yamlError(err)
	}
	return f, nil
}

const (
	maxHostFile = 4 << 20 // bytes
	maxNesting  = 16      // of [ and {
	maxColumn   = 1000    // of a - or a key
)

// checkTokens refuses what could make the decoder recurse without end: large
// files, deep nesting, and aliases, for which a list of hosts has no use.
func checkTokens(text string) error {
	if len(text) > maxHostFile {
		return fmt.Errorf("%w: file of host rules over %d bytes", ErrConfig, maxHostFile)
	}
	depth := 0
	for _, t := range lexer.Tokenize(text) {
		switch t.Type {
		case token.AnchorType, token.AliasType, token.MergeKeyType, token.TagType, token.DirectiveType:
			return fmt.Errorf("line %d: %w: anchors, aliases, tags and directives are not read", t.Position.Line, ErrConfig)
		case token.SequenceStartType, token.MappingStartType:
			depth++
		case token.SequenceEndType, token.MappingEndType:
			depth--
		}
		structural := t.Type == token.SequenceEntryType || t.Type == token.MappingValueType || t.Type == token.MappingKeyType
		if depth > maxNesting || structural && t.Position.Column > maxColumn {
			return fmt.Errorf("line %d: %w: nested too deeply", t.Position.Line, ErrConfig)
		}
	}
	return nil
}

// yamlError puts the line in front of the message.
func yamlError(err error) error {
	var y yaml.Error
	if errors.As(err, &y) && y.GetToken() != nil {
		return fmt.Errorf("line %d: %w: %s", y.GetToken().Position.Line, ErrConfig, y.GetMessage())
	}
	return fmt.Errorf("%w: %w", ErrConfig, err)
}

// badValue returns the path, inside an entry, of the value that New refuses.
func badValue(h HostRules) string {
	if _, err := New(Config{Profile: h.Profile}); err != nil {
		return ".profile"
	}
	for i, r := range h.Rules {
		if _, err := New(Config{Rules: []string{r}}); err != nil {
			return fmt.Sprintf(".rules[%d]", i)
		}
	}
	return ".host"
}

// lineOf returns the line of a value of the ith entry, or of the entry where
// the value is missing.
func lineOf(data []byte, i int, value string) int {
	file, err := parser.ParseBytes(data, 0)
	if err != nil {
		return 0
	}
	for _, path := range []string{fmt.Sprintf("$.hosts[%d]%s", i, value), fmt.Sprintf("$.hosts[%d]", i)} {
		if node := nodeAt(file, path); node != nil {
			return node.GetToken().Position.Line
		}
	}
	return 0
}

func nodeAt(file *ast.File, path string) ast.Node {
	p, err := yaml.PathString(path)
	if err != nil {
		return nil
	}
	node, err := p.FilterFile(file)
	if err != nil {
		return nil
	}
	return node
}
