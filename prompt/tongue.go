package prompt

import (
	"strings"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/language"
)

// stated reports whether a setting names a language.
func stated(s string) bool {
	s = strings.TrimSpace(s)
	return s != "" && !strings.EqualFold(s, "auto")
}

// languageName names a language for a model: its English name and its tag
// where the stated one is known, else what was stated.
func languageName(stated string) string {
	shown := recap.Line(Excerpt(recap.Line(Calm(stated)), languageMax))
	tag := language.Tag(stated)
	name := englishName(tag)
	switch {
	case name == "":
		return shown
	case strings.HasPrefix(strings.ToLower(shown), tag+"-"): // a region tells more
		return name + " (" + shown + ")"
	}
	return name + " (" + tag + ")"
}

// englishName is the English name of a primary tag, "" where it is not known.
func englishName(tag string) string {
	switch tag {
	case "en":
		return "English"
	case "de":
		return "German"
	case "fr":
		return "French"
	case "es":
		return "Spanish"
	case "pt":
		return "Portuguese"
	case "it":
		return "Italian"
	case "nl":
		return "Dutch"
	case "pl":
		return "Polish"
	case "cs":
		return "Czech"
	case "sk":
		return "Slovak"
	case "tr":
		return "Turkish"
	case "vi":
		return "Vietnamese"
	case "sv":
		return "Swedish"
	case "da":
		return "Danish"
	case "nb":
		return "Norwegian"
	case "fi":
		return "Finnish"
	case "ru":
		return "Russian"
	case "uk":
		return "Ukrainian"
	case "be":
		return "Belarusian"
	case "bg":
		return "Bulgarian"
	case "sr":
		return "Serbian"
	case "mk":
		return "Macedonian"
	case "hr":
		return "Croatian"
	case "sl":
		return "Slovenian"
	case "zh":
		return "Chinese"
	case "ja":
		return "Japanese"
	case "ko":
		return "Korean"
	case "ar":
		return "Arabic"
	case "fa":
		return "Persian"
	case "ur":
		return "Urdu"
	case "he":
		return "Hebrew"
	case "hi":
		return "Hindi"
	case "th":
		return "Thai"
	case "el":
		return "Greek"
	case "ro":
		return "Romanian"
	case "hu":
		return "Hungarian"
	case "id":
		return "Indonesian"
	case "ca":
		return "Catalan"
	case "et":
		return "Estonian"
	case "lt":
		return "Lithuanian"
	case "lv":
		return "Latvian"
	case "sq":
		return "Albanian"
	case "sw":
		return "Swahili"
	case "bn":
		return "Bengali"
	case "ta":
		return "Tamil"
	case "te":
		return "Telugu"
	case "ka":
		return "Georgian"
	case "hy":
		return "Armenian"
	case "kk":
		return "Kazakh"
	}
	return ""
}
