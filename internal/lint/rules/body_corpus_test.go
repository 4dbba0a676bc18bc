package rules

import "testing"

// referFloors are the least precision of what referRules report, by the labels. "level" stands for everything at
// warning and above.
var referFloors = map[string]float64{"level": 0.95, "description/cue-in-body": 0.9, "description/placeholder": 0.9, "description/no-cue": 0.9, "body/client-variable": 0.9}

// TestReferPrecision recomputes the precision of the rules about variables, tools and descriptions.
func TestReferPrecision(t *testing.T) { checkPrecision(t, "refer", referRules(), referFloors) }
