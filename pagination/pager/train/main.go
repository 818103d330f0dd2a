// Train learns the weights of package pager from folders of labelled pages and
// says by cross-validation what they are worth on sites that they were not
// learned from. See docs/pagination.md and, for the layout of a folder, package
// labelled.
//
//	go run ./pagination/pager/train -cv -extra EXTRA FOLDER…
//	go run ./pagination/pager/train -write pagination/pager/weights.go -extra EXTRA FOLDER…
//
// The pages of EXTRA are always in training and never judged. Nothing but Go is
// needed, and the same pages and flags give the same weights on one kind of
// processor.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"

	"github.com/hashcrawl/hashcrawl/pagination/pager/labelled"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "train:", err)
		os.Exit(1)
	}
}

func run() error {
	var o options
	flag.IntVar(&o.folds, "folds", 10, "`number` of parts of the cross-validation")
	flag.Uint64Var(&o.seed, "seed", 1, "`seed` of everything random")
	flag.IntVar(&o.epochs, "epochs", 30, "passes over the data")
	flag.Float64Var(&o.rate, "rate", 0.1, "learning rate")
	flag.Float64Var(&o.l2, "l2", 0.02, "L2 penalty of each step")
	flag.Float64Var(&o.drop, "drop", 0.1, "share of the lexical features that a step does not see")
	flag.BoolVar(&o.blind, "blind", true, "learn from every page once more without its words")
	flag.Float64Var(&o.invented, "invented", 0.2, "weight of a page that carries its labels itself, against 1 of a real one")
	cv := flag.Bool("cv", false, "cross-validate by group")
	verbose := flag.Bool("v", false, "print the links that are labelled wrongly")
	write := flag.String("write", "", "learn from all pages and write the weights to this Go `file`")
	extra := flag.String("extra", "", "`folder` of pages that are always in training")
	flag.Parse()
	if flag.NArg() == 0 || !*cv && *write == "" {
		return errors.New("give -cv or -write, and a folder of labelled pages")
	}
	pages, err := readAll(flag.Args()...)
	if err != nil {
		return err
	}
	var always []*labelled.Page
	if *extra != "" {
		if always, err = readAll(*extra); err != nil {
			return err
		}
	}
	if *cv {
		crossValidate(os.Stdout, pages, always, o, *verbose)
	}
	if *write == "" {
		return nil
	}
	all := append(pages, always...)
	return writeWeights(*write, learn(all, o), len(all))
}

func readAll(dirs ...string) ([]*labelled.Page, error) {
	var pages []*labelled.Page
	for _, dir := range dirs {
		p, err := labelled.Read(dir)
		if err != nil {
			return nil, err
		}
		pages = append(pages, p...)
	}
	return pages, nil
}
