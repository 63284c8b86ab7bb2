module pacia

go 1.25

require github.com/sugarme/gotch v0.8.0
