// Train learns the weights of package pager from folders of labelled pages.
//
//	go run ./pagination/pager/train -cv ../shared/corpus/pagination/autopager
//	go run ./pagination/pager/train -write pagination/pager/weights.go FOLDER…
//
// See package labelled for the layout of a folder.
package main

import (
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
	o := options{}
	flag.IntVar(&o.folds, "folds", 10, "number of `folds` of the cross-validation")
	flag.Uint64Var(&o.seed, "seed", 1, "`seed` of everything random")
	flag.IntVar(&o.epochs, "epochs", 30, "passes over the data")
	flag.Float64Var(&o.rate, "rate", 0.1, "learning rate")
	flag.Float64Var(&o.l2, "l2", 0.002, "L2 penalty per page")
	flag.Float64Var(&o.drop, "drop", 0.1, "share of the lexical features dropped at each step")
	flag.BoolVar(&o.blind, "blind", true, "learn from every page once more without its words")
	flag.Float64Var(&o.invented, "invented", 0.5, "weight of a page that carries its labels itself, against 1 of a real one")
	cv := flag.Bool("cv", false, "cross-validate by group on the first folder")
	verbose := flag.Bool("v", false, "print the links that are labelled wrongly")
	write := flag.String("write", "", "learn from all pages and write the weights to this Go `file`")
	extra := flag.String("extra", "", "a `folder` of pages that is always in training")
	flag.Parse()
	var data []*labelled.Page
	for _, dir := range flag.Args() {
		pages, err := labelled.Read(dir)
		if err != nil {
			return err
		}
		data = append(data, pages...)
	}
	var always []*labelled.Page
	if *extra != "" {
		var err error
		if always, err = labelled.Read(*extra); err != nil {
			return err
		}
	}
	if *cv {
		crossValidate(os.Stdout, data, always, o, *verbose)
	}
	if *write != "" {
		return writeWeights(*write, learn(append(data, always...), o), len(data)+len(always))
	}
	return nil
}
