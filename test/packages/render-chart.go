// Renders the templates of a chart as helm does, as far as the chart uses its functions, where helm itself is not
// installed: go run render-chart.go <folder of templates> < values as JSON. Any other function is an error.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"text/template"
)

func main() {
	var top map[string]any
	if err := json.NewDecoder(os.Stdin).Decode(&top); err != nil {
		fail(err)
	}
	functions := template.FuncMap{
		"quote":   func(value any) string { return fmt.Sprintf("%q", fmt.Sprint(value)) },
		"default": func(other, value any) any {
			if value == nil || value == "" {
				return other
			}
			return value
		},
		// JSON is YAML.
		"toYaml": func(value any) (string, error) {
			text, err := json.Marshal(value)
			return string(text), err
		},
		"nindent": func(spaces int, text string) string {
			pad := "\n" + strings.Repeat(" ", spaces)
			return pad + strings.ReplaceAll(text, "\n", pad)
		},
	}
	files, err := filepath.Glob(filepath.Join(os.Args[1], "*.yaml"))
	if err != nil {
		fail(err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			fail(err)
		}
		parsed, err := template.New(file).Option("missingkey=zero").Funcs(functions).Parse(string(text))
		if err != nil {
			fail(err)
		}
		fmt.Println("---")
		if err := parsed.Execute(os.Stdout, top); err != nil {
			fail(err)
		}
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}
