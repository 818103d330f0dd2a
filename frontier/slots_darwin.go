package frontier

func preferLargePages([]byte) {}
