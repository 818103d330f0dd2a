package ajaxscheme

import (
	"strings"
	"testing"
)

func TestDetectOptIn(t *testing.T) {
	const tag = `<meta name="fragment" content="!">`
	for _, tc := range []struct {
		name, page string
		want       OptIn
		why        string // part of the fault
	}{
		{name: "in the head", page: "<html><head>" + tag, want: OptInValid},
		{name: "upper case", page: `<HEAD><META NAME=FRAGMENT CONTENT=!></HEAD>`, want: OptInValid},
		{name: "character reference", page: `<meta name="fragment" content="&#33;">`, want: OptInValid},
		{name: "after a comment and a byte order of things", page: "<!doctype html><!-- <p> --><title>a<p>b</title><script>'<p>'</script><link rel=x><base href=/>" + tag, want: OptInValid},
		{name: "between head and body", page: "<head></head>" + tag + "<body>", want: OptInValid}, // [WHATWG-HTML §13.2.6.4.6]
		{name: "after a closed template", page: "<template><p></template>" + tag, want: OptInValid},
		{name: "after a closed noscript", page: "<noscript><link></noscript>" + tag, want: OptInValid},
		{name: "after an end tag that opens nothing", page: "</p></div>" + tag, want: OptInValid},
		{name: "invalid, then valid", page: `<meta name="fragment" content="?">` + tag, want: OptInValid},
		{name: "none", page: "<head><title>x</title></head><body>"},
		{name: "commented out", page: "<head><!--" + tag + "--></head>"},
		{name: "in a title", page: "<title>" + tag + "</title>"},
		{name: "other name", page: `<meta name="fragments" content="!">`},
		{name: "body", page: "<body>" + tag, want: OptInInvalid, why: "body"},
		{name: "text opens the body", page: "<head>x" + tag, want: OptInInvalid, why: "body"},
		{name: "an element opens the body", page: "<head><div>" + tag, want: OptInInvalid, why: "body"},
		{name: "unknown element", page: "<x-y>" + tag, want: OptInInvalid, why: "body"},
		{name: "in a template", page: "<template><template></template>" + tag + "</template>", want: OptInInvalid, why: "template"},
		{name: "in a noscript", page: "<noscript>" + tag + "</noscript>"},
		{name: "blanks", page: `<meta name="fragment" content="! ">`, want: OptInInvalid, why: "exactly"},
		{name: "blanks in the name", page: `<meta name=" fragment" content="!">`, want: OptInInvalid, why: "blanks"},
		{name: "no content", page: `<meta name="fragment">`, want: OptInInvalid, why: "no content"},
		{name: "full-width mark", page: `<meta name="fragment" content="！">`, want: OptInInvalid, why: "exactly"},
		{name: "empty", page: ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			d := Detect([]byte(tc.page))
			_, why := d.Fault()
			if d.OptIn() != tc.want || !strings.Contains(why, tc.why) || why != "" && d.OptIn() != OptInInvalid {
				t.Errorf("Detect(%q) = %v (%s), want %v (%s)", tc.page, d.OptIn(), why, tc.want, tc.why)
			}
		})
	}
}

func FuzzDetect(f *testing.F) {
	f.Add(`<head><meta name="fragment" content="!"></head>`)
	f.Add(`<template><meta name="fragment"></template>x<meta name=fragment content=!>`)
	f.Fuzz(func(t *testing.T, page string) {
		before := DetectOptIn([]byte(page))
		// What follows cannot undo an opt-in.
		if before == OptInValid && DetectOptIn([]byte(page+"<body>x")) != OptInValid {
			t.Errorf("Detect(%q) changes with what follows", page)
		}
	})
}
